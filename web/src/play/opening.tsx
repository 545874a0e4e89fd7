// SPDX-License-Identifier: MIT
// The choices of an opening rule: three stones to offer, a colour to take, two stones more.

import { signal } from "@preact/signals";
import { pointName, type Colour, type Point } from "../base/point";
import type { Ghost } from "../board/scene";
import { t } from "../i18n";
import type { Game } from "../net/messages";
import { Button } from "../ui/controls";
import { ask, game, myTurn } from "./model";

export const THREE_STONES: readonly Colour[] = ["b", "w", "b"];
export const TWO_STONES: readonly Colour[] = ["w", "b"];

const laid = signal<readonly Point[]>([]);
const layingTwo = signal(false);

/** The colours of the stones that are wanted now; none: an ordinary move, or nothing. */
export function wanted(g: Game | null): readonly Colour[] {
  if (!g?.turn || !myTurn.value) return [];
  if (g.turn.ask === "three") return THREE_STONES;
  if (g.turn.ask === "colour_or_two" && layingTwo.value) return TWO_STONES;
  return [];
}

export function laidStones(g: Game | null): Ghost[] {
  const colours = wanted(g);
  return laid.value.slice(0, colours.length).map((p, i) => ({ ...p, colour: colours[i]!, strong: true, text: String(i + 1 + (g?.moves.length ?? 0)) }));
}

export function nextColour(g: Game | null): Colour | null {
  return wanted(g)[laid.value.length] ?? null;
}

export function lay(p: Point): void {
  laid.value = [...laid.value, p];
}

export function forgetLaid(): void {
  laid.value = [];
  layingTwo.value = false;
}

async function offer(): Promise<void> {
  if (await ask("game.stones", { points: laid.value.map(pointName) })) forgetLaid();
}

export function OpeningChoices() {
  const g = game.value;
  if (!g?.turn || g.turn.ask === "move" || !myTurn.value) return null;
  const colours = wanted(g);
  if (colours.length > 0) {
    const missing = colours.length - laid.value.length;
    return (
      <div class="choices" data-testid="choices">
        <p>{t(colours.length === 3 ? "opening.three" : "opening.two", { n: missing })}</p>
        <div class="row">
          <Button kind="primary" icon="check" disabled={missing > 0} testid="offer" onClick={offer}>
            {t("opening.offer")}
          </Button>
          <Button icon="undo" disabled={laid.value.length === 0 && !layingTwo.value} onClick={() => (laid.value.length > 0 ? (laid.value = laid.value.slice(0, -1)) : forgetLaid())}>
            {t("play.undo")}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div class="choices" data-testid="choices">
      <p>{t("opening.choose")}</p>
      <div class="row wrap">
        <Button icon="swap" testid="swap" onClick={() => ask("game.swap", {})}>
          {t(g.turn.colour === "w" ? "opening.takeBlack" : "opening.takeWhite")}
        </Button>
        {g.turn.ask === "colour_or_two" && (
          <Button icon="plus" testid="two" onClick={() => (layingTwo.value = true)}>
            {t("opening.putTwo")}
          </Button>
        )}
      </div>
      <p class="about">{t(g.turn.colour === "w" ? "opening.orMoveWhite" : "opening.orMoveBlack")}</p>
    </div>
  );
}

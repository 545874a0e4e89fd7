// SPDX-License-Identifier: MIT
// Stones that make a position even: for openings that are fair to both sides.

import { effect, signal } from "@preact/signals";
import { percent } from "../base/format";
import { toTheBoard } from "../board/board";
import { t } from "../i18n";
import { explain } from "../net/explain";
import { Refusal, task } from "../net/link";
import { announce } from "../ui/announce";
import { Button } from "../ui/controls";
import { at, base, playLine, preview, side } from "./model";
import { aboutNode } from "./tree";

const MS = 3000;
const asked = signal<number | null>(null);
const answer = signal<{ readonly points: readonly string[]; readonly text: string } | null>(null);
let cancel: (() => void) | null = null;

effect(() => {
  // Another position, another question.
  at.value;
  cancel?.();
  answer.value = null;
});

async function find(stones: number): Promise<void> {
  cancel?.();
  asked.value = stones;
  answer.value = null;
  const work = task("position.balance", { ...aboutNode(base.value, at.value), stones, ms: MS });
  cancel = work.cancel;
  try {
    const { points, value } = await work.reply;
    const colour = t(side.value === "b" ? "colour.black" : "colour.white");
    const text = value === null ? points.join(" ") : t("balance.says", { points: points.join(" "), colour, n: percent(value) });
    answer.value = { points, text };
    announce(text);
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    if (e.code !== "cancelled" && e.code !== "lost") answer.value = { points: [], text: explain.refusal(e) };
  } finally {
    if (asked.value === stones) asked.value = null;
  }
}

export function Balance() {
  const a = answer.value;
  const shown = a !== null && preview.value?.moves === a.points;
  const show = (points: readonly string[]): void => {
    preview.value = shown ? null : { moves: points, first: side.value };
    toTheBoard();
  };
  const playOut = (points: readonly string[]): void => {
    playLine(points);
    toTheBoard();
  };
  return (
    <section>
      <h2>{t("balance.title")}</h2>
      <div class="grid-2">
        {[1, 2].map((n) => (
          <Button key={n} icon="swap" testid={`balance-${n}`} pressed={asked.value === n} onClick={() => (asked.value === n ? cancel?.() : void find(n))}>
            {asked.value === n ? t("threat.stop") : t(n === 1 ? "balance.one" : "balance.two")}
          </Button>
        ))}
      </div>
      {a && (
        <div class="answer" data-testid="even">
          <p>{a.text}</p>
          {a.points.length > 0 && (
            <div class="row wrap">
              <Button icon="eye" pressed={shown} onClick={() => show(a.points)}>
                {t("threat.show")}
              </Button>
              <Button icon="go" testid="play-even" onClick={() => playOut(a.points)}>
                {t("threat.play")}
              </Button>
            </div>
          )}
        </div>
      )}
    </section>
  );
}

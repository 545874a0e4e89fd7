// SPDX-License-Identifier: MIT
// Stones that make a position even: for openings that are fair to both sides.

import { percent } from "../base/format";
import { toTheBoard } from "../board/board";
import { t } from "../i18n";
import { task } from "../net/link";
import type { Balanced } from "../net/messages";
import { Button } from "../ui/controls";
import { playLine, preview, side } from "./model";
import { question } from "./question";

const MS = 3000;
const { asked, answer, press } = question((about, stones: number) => task("position.balance", { ...about, stones, ms: MS }), sentence);

function sentence(_: number, { points, value, even }: Balanced): string {
  const colour = t(side.value === "b" ? "colour.black" : "colour.white");
  if (value === null) return points.join(" ");
  return t(even === false ? "balance.uneven" : "balance.says", { points: points.join(" "), colour, n: percent(value) });
}

function Answer() {
  const a = answer.value;
  if (!a) return null;
  if ("error" in a) return <p class="about">{a.error}</p>;
  const { points } = a.reply;
  const shown = preview.value?.moves === points;
  const show = (): void => {
    preview.value = shown ? null : { moves: points, first: side.value };
    toTheBoard();
  };
  const playOut = (): void => {
    playLine(points);
    toTheBoard();
  };
  return (
    <div class="answer" data-testid="even">
      <p>{sentence(a.what, a.reply)}</p>
      <div class="row wrap">
        <Button icon="eye" pressed={shown} onClick={show}>
          {t("threat.show")}
        </Button>
        <Button icon="go" testid="play-even" onClick={playOut}>
          {t("threat.play")}
        </Button>
      </div>
    </div>
  );
}

export function Balance() {
  return (
    <section>
      <h2>{t("balance.title")}</h2>
      <div class="grid-2">
        {[1, 2].map((n) => (
          <Button key={n} icon="swap" testid={`balance-${n}`} pressed={asked.value === n} onClick={() => press(n)}>
            {asked.value === n ? t("threat.stop") : t(n === 1 ? "balance.one" : "balance.two")}
          </Button>
        ))}
      </div>
      <Answer />
    </section>
  );
}

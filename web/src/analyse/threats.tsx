// SPDX-License-Identifier: MIT
// Proofs on demand: a win by fours, by threats, any win; and what the opponent would do if we passed.

import { signal } from "@preact/signals";
import { other } from "../base/point";
import { shortNumber, winnersMoves } from "../base/format";
import { toTheBoard } from "../board/board";
import { t } from "../i18n";
import { task } from "../net/link";
import type { Solved } from "../net/messages";
import { Button } from "../ui/controls";
import { looked, playLine, preview, side } from "./model";
import { question } from "./question";

type Goal = "vcf" | "vct" | "win" | "threat";

const SECONDS = 20;
const { asked, answer, press } = question(
  (about, goal: Goal) =>
    task("threat.solve", {
      ...about,
      goal: goal === "threat" ? "vct" : goal,
      by: goal === "threat" ? "opponent" : "mover",
      ms: SECONDS * 1000,
    }),
  sentence,
);

function sentence(goal: Goal, s: Solved): string {
  const colour = t(s.by === "b" ? "colour.black" : "colour.white");
  if (s.result === "win") return t(goal === "threat" ? "threat.threatens" : "threat.wins", { colour, n: winnersMoves(s.plies) });
  if (s.result === "draw") return t("threat.draw");
  return t(s.result === "none" ? `threat.none.${goal}` : "threat.unknown", { s: SECONDS });
}

/** Whose whole line was asked for: it stays after a look at its beginning. */
const pinned = signal<Solved | null>(null);

function Answer() {
  const a = answer.value;
  if (!a) return null;
  if ("error" in a) return <p class="about">{a.error}</p>;
  const { what: goal, reply: solved } = a;
  const first = goal === "threat" ? other(side.value) : side.value;
  const show = (n: number): void => void (preview.value = { moves: solved.line.slice(0, n), first });
  const shown = preview.value?.moves === solved.line;
  const hideAll = (): void => {
    pinned.value = null;
    preview.value = null;
  };
  const showAll = (): void => {
    pinned.value = solved;
    preview.value = { moves: solved.line, first };
  };
  return (
    <div class="answer" data-testid="answer" data-result={solved.result}>
      <p>{sentence(goal, solved)}</p>
      {solved.line.length > 0 && (
        <>
          <p class="line" onPointerLeave={() => (pinned.value === solved ? showAll() : hideAll())}>
            {solved.line.map((m, i) => (
              <button key={i} type="button" class={i === 0 ? "first" : ""} onPointerEnter={() => show(i + 1)} onFocus={() => show(i + 1)} onClick={() => (goal === "threat" ? show(i + 1) : playLine(solved.line.slice(0, i + 1)))}>
                {m}
              </button>
            ))}
          </p>
          <div class="row wrap">
            <Button
              icon="eye"
              testid="show-line"
              pressed={shown}
              onClick={() => {
                if (shown) hideAll();
                else showAll();
                toTheBoard();
              }}
            >
              {t("threat.show")}
            </Button>
            {goal !== "threat" && (
              <Button
                icon="go"
                testid="play-line"
                onClick={() => {
                  playLine(solved.line);
                  toTheBoard();
                }}
              >
                {t("threat.play")}
              </Button>
            )}
          </div>
        </>
      )}
      <small>{t("threat.effort", { nodes: shortNumber(solved.nodes), ms: solved.ms })}</small>
    </div>
  );
}

export function Threats() {
  const goals: readonly Goal[] = ["vcf", "vct", "win", "threat"];
  const over = looked.value !== null && (looked.value.winner !== null || looked.value.full);
  return (
    <section>
      <h2>{t("threat.title")}</h2>
      <div class="grid-2">
        {goals.map((goal) => (
          <Button key={goal} icon={goal === "threat" ? "shield" : "target"} testid={`solve-${goal}`} pressed={asked.value === goal} disabled={over} onClick={() => press(goal)}>
            {asked.value === goal ? t("threat.stop") : t(`threat.${goal}`)}
          </Button>
        ))}
      </div>
      {over ? <p class="about">{t("analyse.end.over")}</p> : <Answer />}
    </section>
  );
}

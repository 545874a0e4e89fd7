// SPDX-License-Identifier: MIT
// Proofs on demand: a win by fours, by threats, any win; and what the opponent would do if we passed.

import { effect, signal } from "@preact/signals";
import { other } from "../base/point";
import { shortNumber, winnersMoves } from "../base/format";
import { toTheBoard } from "../board/board";
import { t } from "../i18n";
import { explain } from "../net/explain";
import { Refusal, task } from "../net/link";
import type { Solved } from "../net/messages";
import { announce } from "../ui/announce";
import { Button } from "../ui/controls";
import { at, base, playLine, preview, side } from "./model";
import { aboutNode } from "./tree";

type Goal = "vcf" | "vct" | "win" | "threat";

const SECONDS = 20;
const asked = signal<Goal | null>(null);
const answer = signal<{ goal: Goal; solved: Solved } | { goal: Goal; error: string } | null>(null);
let cancel: (() => void) | null = null;

effect(() => {
  // Another position, another question.
  at.value;
  cancel?.();
  answer.value = null;
});

async function solve(goal: Goal): Promise<void> {
  cancel?.();
  asked.value = goal;
  answer.value = null;
  const work = task("threat.solve", {
    ...aboutNode(base.value, at.value),
    goal: goal === "threat" ? "vct" : goal,
    by: goal === "threat" ? "opponent" : "mover",
    ms: SECONDS * 1000,
  });
  cancel = work.cancel;
  try {
    const solved = await work.reply;
    answer.value = { goal, solved };
    announce(sentence(goal, solved));
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    if (e.code !== "cancelled" && e.code !== "lost") answer.value = { goal, error: explain.refusal(e) };
  } finally {
    if (asked.value === goal) asked.value = null;
  }
}

function sentence(goal: Goal, s: Solved): string {
  const colour = t(s.by === "b" ? "colour.black" : "colour.white");
  if (s.result === "win") return t(goal === "threat" ? "threat.threatens" : "threat.wins", { colour, n: winnersMoves(s.plies) });
  if (s.result === "draw") return t("threat.draw");
  return t(s.result === "none" ? `threat.none.${goal}` : "threat.unknown", { s: SECONDS });
}

function Answer() {
  const a = answer.value;
  if (!a) return null;
  if ("error" in a) return <p class="about">{a.error}</p>;
  const { solved, goal } = a;
  const first = goal === "threat" ? other(side.value) : side.value;
  const show = (n: number): void => void (preview.value = { moves: solved.line.slice(0, n), first });
  return (
    <div class="answer" data-testid="answer" data-result={solved.result} onPointerLeave={() => (preview.value = null)}>
      <p>{sentence(goal, solved)}</p>
      {solved.line.length > 0 && (
        <>
          <p class="line">
            {solved.line.map((m, i) => (
              <button key={i} type="button" class={i === 0 ? "first" : ""} onPointerEnter={() => show(i + 1)} onFocus={() => show(i + 1)} onClick={() => (goal === "threat" ? show(i + 1) : playLine(solved.line.slice(0, i + 1)))}>
                {m}
              </button>
            ))}
          </p>
          <div class="row wrap">
            <Button
              icon="eye"
              onClick={() => {
                show(solved.line.length);
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
  return (
    <section>
      <h2>{t("threat.title")}</h2>
      <div class="grid-2">
        {goals.map((goal) => (
          <Button key={goal} icon={goal === "threat" ? "shield" : "target"} testid={`solve-${goal}`} pressed={asked.value === goal} onClick={() => (asked.value === goal ? cancel?.() : void solve(goal))}>
            {asked.value === goal ? t("threat.stop") : t(`threat.${goal}`)}
          </Button>
        ))}
      </div>
      <Answer />
    </section>
  );
}

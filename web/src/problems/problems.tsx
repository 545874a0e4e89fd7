// SPDX-License-Identifier: MIT
// The problem trainer: find the win; the engine defends as well as it can.

import { batch, effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { other, pointName, type Point } from "../base/point";
import { winnersMoves } from "../base/format";
import { showForbidden } from "../base/prefs";
import { address, go, route } from "../base/router";
import { click } from "../base/sound";
import { Board, toTheBoard } from "../board/board";
import { emptyScene, type Scene } from "../board/scene";
import { t, tOr } from "../i18n";
import { linkState, request } from "../net/link";
import type { Problem, ProblemRow, Suite, Tried } from "../net/messages";
import { lineOf, pointsOf, sceneOf, stonesOf, unordered } from "../play/scene";
import { announce } from "../ui/announce";
import { Button, Empty } from "../ui/controls";
import { guarded } from "../ui/guarded";
import { useKeys } from "../ui/keys";
import { rulesText } from "../ui/rules";

const suites = signal<readonly Suite[] | null>(null);
const list = signal<{ suite: string; problems: readonly ProblemRow[] } | null>(null);
const problem = signal<Problem | null>(null);
const moves = signal<readonly string[]>([]);
const verdict = signal<Tried | null>(null);
const solution = signal<readonly string[] | null>(null);
const waiting = signal(false);
const forbidden = signal<readonly Point[]>([]);
const PAGE = 200;

function load(suite: string | undefined, number: number | undefined): Promise<void> {
  return guarded(async () => {
    suites.value = (await request("problem.suites", {})).suites;
    const name = suite ?? suites.value[0]?.suite;
    if (!name) return;
    if (list.value?.suite !== name) {
      list.value = { suite: name, problems: (await request("problem.list", { suite: name, offset: 0, limit: PAGE })).problems };
    }
    const wish = number ?? list.value.problems.find((p) => !p.solved)?.number ?? 1;
    if (problem.value?.suite === name && problem.value.number === wish) return;
    const next = await request("problem.get", { suite: name, number: wish });
    batch(() => {
      problem.value = next;
      restart();
    });
  });
}

function restart(): void {
  moves.value = [];
  verdict.value = null;
  solution.value = null;
}

async function attempt(p: Point): Promise<void> {
  const now = problem.value;
  if (!now || waiting.value) return;
  click();
  const before = moves.value;
  const tried = [...before, pointName(p)];
  moves.value = tried;
  waiting.value = true;
  let judged = false;
  await guarded(async () => {
    const reply = await request("problem.try", { suite: now.suite, number: now.number, moves: tried });
    if (moves.value !== tried) return;
    judged = true;
    verdict.value = reply;
    if (reply.state === "go on" && reply.reply) {
      moves.value = [...tried, reply.reply];
      announce(t(now.side === "b" ? "say.white" : "say.black", { point: reply.reply }));
    }
    if (reply.state === "solved") {
      announce(t("problem.solved"));
      markSolved(now);
    }
  });
  // Refused, or the connection was lost: the stone goes back.
  if (!judged && moves.value === tried) moves.value = before;
  waiting.value = false;
}

function markSolved(done: Problem): void {
  const l = list.value;
  if (l?.suite !== done.suite || l.problems.find((p) => p.number === done.number)?.solved) return;
  list.value = { suite: l.suite, problems: l.problems.map((p) => (p.number === done.number ? { ...p, solved: true } : p)) };
  suites.value = suites.value?.map((s) => (s.suite === done.suite ? { ...s, solved: s.solved + 1 } : s)) ?? null;
}

effect(() => {
  const p = problem.value;
  const line = moves.value;
  forbidden.value = [];
  if (!p || line.length % 2 === 1 || linkState.value !== "ready") return;
  request("position.look", { rules: p.rules, position: unordered([...stonesOf(p.position), ...lineOf(line, p.side)]), side: p.side }).then(
    (look) => {
      if (problem.value === p && moves.value === line) forbidden.value = pointsOf(look.forbidden.map((f) => f.p));
    },
    () => undefined,
  );
});

/** One attempt back: the own move, with the engine's reply if there was one. */
function takeBack(): void {
  if (waiting.value) return;
  const n = moves.value.length % 2 === 0 ? 2 : 1;
  moves.value = moves.value.slice(0, Math.max(0, moves.value.length - n));
  verdict.value = moves.value.length > 0 ? { state: "go on", reply: null } : null;
  solution.value = null;
}

/** Shows how it goes on from here, or hides it again. */
function toggleSolution(): Promise<void> {
  return guarded(async () => {
    const now = problem.value;
    if (!now || waiting.value) return;
    if (solution.value) {
      solution.value = null;
      return;
    }
    const ours = moves.value.length % 2 === 0 ? moves.value : moves.value.slice(0, -1);
    const from = verdict.value?.state === "wrong" ? [] : ours;
    moves.value = from;
    verdict.value = null;
    solution.value = (await request("problem.solution", { suite: now.suite, number: now.number, ...(from.length > 0 ? { moves: from } : {}) })).line;
  });
}

function sceneNow(): Scene {
  const p = problem.value;
  if (!p) return emptyScene(15, 15);
  const before = stonesOf(p.position);
  const tried = lineOf(moves.value, p.side);
  const turn = moves.value.length % 2 === 0 ? p.side : other(p.side);
  const line = solution.value ? lineOf(solution.value, turn) : verdict.value?.state === "wrong" ? lineOf(verdict.value.refutation ?? [], turn) : [];
  return {
    ...sceneOf(p.rules, [...before, ...tried], before.length),
    forbidden: showForbidden.value ? forbidden.value : [],
    numbersFrom: tried.length > 0 ? 1 - before.length : null,
    ghosts: line.map((s, i) => ({ ...s, strong: true, text: String(i + 1 + moves.value.length) })),
  };
}

function Verdict() {
  const v = verdict.value;
  if (waiting.value) return <p class="status">{t("problem.checking")}</p>;
  if (solution.value) return <p class="status">{t("problem.here")}</p>;
  if (!v) return <p class="status">{t("problem.find")}</p>;
  const words = { "go on": "problem.goOn", solved: "problem.solved", wrong: "problem.wrong", unclear: "problem.unclear", "also wins": "problem.also" } as const;
  return (
    <p class={`status strong ${v.state === "wrong" ? "bad" : ""}`} data-testid="verdict" data-state={v.state}>
      {t(words[v.state])}
    </p>
  );
}

export function Problems() {
  const args = route.value.view === "problems" ? route.value.args : [];
  useEffect(() => {
    if (linkState.value === "ready") void load(args[0], args[1] ? Number(args[1]) : undefined);
  }, [args.join("/"), linkState.value]);
  const p = problem.value;
  useEffect(toTheBoard, [p?.suite, p?.number]);
  const ended = verdict.value !== null && verdict.value.state !== "go on";
  const beside = (by: number): ProblemRow | undefined => {
    const all = list.value?.problems ?? [];
    return all[all.findIndex((r) => r.number === p?.number) + by];
  };
  const move = (by: number): void => {
    const next = beside(by);
    if (p && next) go("problems", p.suite, next.number);
  };
  useKeys([
    { key: "ArrowRight", what: t("problem.next"), act: () => move(1) },
    { key: "ArrowLeft", what: t("problem.before"), act: () => move(-1) },
    { key: "u", what: t("play.undo"), act: takeBack },
    { key: "s", what: t("problem.solution"), act: toggleSolution },
  ]);
  const scene = sceneNow();
  const mine = p && !ended && !waiting.value && !solution.value && moves.value.length % 2 === 0;
  return (
    <div class="view with-board">
      <Board scene={scene} label={t("board.label", { n: scene.stones.length })} puts={mine ? p.side : null} onChoose={(q) => void attempt(q)} />
      <aside class="panel" aria-label={t("view.problems")}>
        {suites.value?.length === 0 && <Empty>{t("problem.noSuites")}</Empty>}
        {p && (
          <section>
            <h2>
              {t("problem.number", { n: p.number })} <small>{p.title && !p.title.startsWith(p.rules.rule) ? p.title : rulesText(p.rules)}</small>
            </h2>
            <p class="task" data-testid="task">
              <span class={`stone ${p.side}`} role="img" aria-label={t(p.side === "b" ? "colour.black" : "colour.white")} />
              <strong>
                {t(p.side === "b" ? "problem.black" : "problem.white")} {tOr(`problem.goal.${p.goal}`, p.goal)}
                {p.plies ? ` ${t("problem.plies", { n: winnersMoves(p.plies) })}` : ""}
              </strong>
            </p>
            <Verdict />
            <div class="actions">
              <Button icon="undo" disabled={moves.value.length === 0 || waiting.value} onClick={takeBack}>
                {t("play.undo")}
              </Button>
              <Button icon="redo" disabled={moves.value.length === 0 && !solution.value} onClick={restart}>
                {t("problem.restart")}
              </Button>
              <Button icon="hint" testid="solution" pressed={solution.value !== null} onClick={toggleSolution}>
                {t("problem.solution")}
              </Button>
              <Button icon="forward" kind={verdict.value?.state === "solved" ? "primary" : "quiet"} testid="next" disabled={!beside(1)} onClick={() => move(1)}>
                {t("problem.next")}
              </Button>
            </div>
          </section>
        )}
        <section>
          <h2>{t("problem.suites")}</h2>
          <ul class="suites">
            {(suites.value ?? []).map((s) => (
              <li key={s.suite}>
                <a href={address("problems", s.suite)} class={s.suite === list.value?.suite ? "on" : ""}>
                  <strong>{tOr(`suite.${s.suite}`, s.name)}</strong>
                  <small>{tOr(`suite.${s.suite}.about`, s.about)}</small>
                  <small>{t("problem.count", { solved: s.solved, n: s.count })}</small>
                </a>
              </li>
            ))}
          </ul>
          {list.value && (
            <ol class="problem-grid">
              {list.value.problems.map((r) => (
                <li key={r.number}>
                  <a href={address("problems", list.value!.suite, r.number)} class={`${r.solved ? "solved" : ""}${r.number === p?.number ? " on" : ""}`} aria-label={`${r.number}${r.solved ? `, ${t("problem.isSolved")}` : ""}`}>
                    {r.number}
                  </a>
                </li>
              ))}
            </ol>
          )}
        </section>
      </aside>
    </div>
  );
}

// SPDX-License-Identifier: MIT
// Review: a whole game looked at move by move. The graph, the mistakes, and what was better.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { parsePoint, splitMoves, type Colour } from "../base/point";
import { percent } from "../base/format";
import { currentGame, kept } from "../base/prefs";
import { go, route } from "../base/router";
import { Board, toTheBoard } from "../board/board";
import type { Mark, Scene } from "../board/scene";
import { StepButtons } from "../analyse/analyse";
import { t } from "../i18n";
import { explain } from "../net/explain";
import { fetchGame } from "../net/fetch_game";
import { linkState, listen, Refusal, request } from "../net/link";
import type { About, Game, ReviewEvent, ReviewMark, Rules } from "../net/messages";
import { MoveList } from "../play/moves";
import { lineOf, pointsOf, sceneOf, stonesOf } from "../play/scene";
import { notify } from "../ui/announce";
import { Button, Slider, TextField } from "../ui/controls";
import { Graph } from "../ui/graph";
import { guarded } from "../ui/guarded";
import { useKeys } from "../ui/keys";
import { openingText } from "../ui/opening_name";
import { USUAL, rulesText } from "../ui/rules";

interface Subject {
  readonly key: string;
  readonly rules: Rules;
  readonly before: string;
  readonly moves: readonly { readonly p: string; readonly c: Colour }[];
  readonly row: readonly string[];
  readonly about: About;
  /** Of a game that is kept: what was written to each move, "" nothing. */
  readonly comments?: readonly string[];
}

type State = "none" | "running" | "done";

const subject = signal<Subject | null>(null);
const judged = signal<ReadonlyMap<number, ReviewEvent>>(new Map());
const ending = signal<ReviewEvent | null>(null);
const state = signal<State>("none");
const ply = signal(0);
const better = signal(false);
const seconds = kept("reviewSeconds", 0.5);
let current = "";

listen("review", (e) => {
  if (e.review !== current && state.value !== "running") return;
  if (e.state === "done") {
    ending.value = e;
    state.value = "done";
    keep();
  } else if (e.ply !== undefined) {
    judged.value = new Map(judged.value).set(e.ply, e);
    keep(); // at once, since the page may be left the next moment
  }
});

async function load(args: readonly string[]): Promise<void> {
  const key = args.join("/");
  try {
    if (args[0] === "moves" && args[4]) {
      if (subject.value?.key === key) return;
      const [w, h] = args[2]!.split("x").map(Number);
      const rules = { rule: args[1]!, width: w!, height: h!, win: Number(args[3]) };
      const moves = (splitMoves(args[4]) ?? []).map((p, i): { p: string; c: Colour } => ({ p, c: i % 2 === 0 ? "b" : "w" }));
      show({ key, rules, before: "", moves, row: [], about: { rules, position: args[4] } });
      return;
    }
    const id = args[0] ?? currentGame.value;
    if (!id) return;
    const g = await fetchGame(id);
    if (route.value.args.join("/") !== key) return;
    const placed = g.setup && /[:/]/.test(g.setup.position) ? g.setup.position : "";
    const next = { key: id, rules: g.rules, before: placed, moves: g.moves.map((m) => ({ p: m.p, c: m.c })), row: g.row, about: { game: id }, comments: commentsOf(g) };
    // A game may have gone on, or otherwise; of the same moves what was found stays.
    if (sameMoves(subject.value, next)) subject.value = next;
    else show(next);
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    if (e.code !== "lost") notify(explain.refusal(e), "bad");
  }
}

function sameMoves(a: Subject | null, b: Subject): boolean {
  return a?.key === b.key && a.moves.length === b.moves.length && a.moves.every((m, i) => m.p === b.moves[i]!.p);
}

function commentsOf(g: Game): string[] {
  return g.moves.map((m) => m.comment ?? "");
}

function comment(s: Subject, at: number, text: string): Promise<void> {
  return guarded(async () => {
    if (!("game" in s.about)) return;
    const reply = await request("game.comment", { game: s.about.game, ply: at, text });
    if (subject.value?.key === s.key) subject.value = { ...subject.value, comments: commentsOf(reply.game) };
  });
}

/* A review costs minutes, so the last few outlive a reload and a look at another game in this tab. */

interface Kept {
  readonly key: string;
  readonly moves: string;
  readonly judged: readonly (readonly [number, ReviewEvent])[];
  readonly ending: ReviewEvent | null;
}

const KEPT = 6;
const reviews = kept<readonly Kept[]>("reviews", [], ["sessionStorage"]);

function movesText(s: Subject): string {
  return s.before + s.moves.map((m) => m.p).join("");
}

function keep(): void {
  const s = subject.value;
  if (!s || judged.value.size === 0) return;
  const mine = { key: s.key, moves: movesText(s), judged: [...judged.value], ending: ending.value };
  reviews.value = [mine, ...reviews.value.filter((r) => r.key !== s.key)].slice(0, KEPT);
}

function show(s: Subject): void {
  if (state.value === "running") {
    keep();
    void request("review.stop", {}).catch(() => undefined);
  }
  current = ""; // what that one has still to say is not about this game
  const was = reviews.value.find((r) => r.key === s.key && r.moves === movesText(s));
  subject.value = s;
  judged.value = new Map(was?.judged);
  ending.value = was?.ending ?? null;
  state.value = was ? "done" : "none";
  ply.value = s.moves.length;
}

async function start(): Promise<void> {
  const s = subject.value;
  if (!s) return;
  judged.value = new Map();
  ending.value = null;
  state.value = "running";
  try {
    const reply = await request("review.start", { ...s.about, ms: Math.round(seconds.value * 1000) });
    current = reply.review;
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    state.value = "none";
    notify(explain.refusal(e), "bad");
  }
}

function stop(): void {
  if (state.value !== "running") return;
  state.value = "done";
  keep();
  void request("review.stop", {}).catch(() => undefined);
}

function stepTo(to: number): void {
  ply.value = Math.max(0, Math.min(subject.value?.moves.length ?? 0, to));
  better.value = false;
}

/** From a list below the board. */
function look(to: number): void {
  stepTo(to);
  toTheBoard();
}

const inks: Readonly<Record<ReviewMark, string>> = {
  blunder: "#c8402c",
  "missed win": "#c8402c",
  mistake: "#d98324",
  inaccuracy: "#c9a227",
};

function scene(): Scene {
  const s = subject.value;
  const rules = s?.rules ?? USUAL;
  const before = stonesOf(s?.before ?? "");
  const shown = better.value ? Math.max(0, ply.value - 1) : ply.value;
  const played = (s?.moves ?? []).slice(0, shown).flatMap((m) => pointsOf([m.p]).map((p) => ({ ...p, colour: m.c })));
  const all = sceneOf(rules, [...before, ...played], before.length);
  const e = judged.value.get(ply.value);
  const marks: Mark[] = [];
  const worse = e?.mark != null;
  if (e?.best && e.best !== e.move && worse && !better.value) {
    const p = parsePoint(e.best);
    if (p) marks.push({ ...p, text: "★", tone: "best" });
    const own = e.move ? parsePoint(e.move) : null;
    if (own) marks.push({ ...own, text: e.mark === "inaccuracy" ? "?!" : e.mark === "mistake" ? "?" : "??", tone: "bad" });
  }
  const line = better.value && e?.line && e.colour ? lineOf(e.line, e.colour).map((g, i) => ({ ...g, text: String(i + 1), strong: true })) : [];
  return { ...all, row: s && ply.value === s.moves.length && !better.value ? pointsOf(s.row) : [], marks, ghosts: line };
}

/** What Black could expect after each move, in percent. */
function curve(): { x: number[]; y: (number | null)[]; marks: (number | null)[] } {
  const n = subject.value?.moves.length ?? 0;
  const x = Array.from({ length: n + 1 }, (_, i) => i);
  const after = (i: number): number | null => judged.value.get(i)?.after ?? judged.value.get(i + 1)?.before ?? null;
  const y = x.map((i) => {
    const v = after(i);
    return v === null ? null : v * 100;
  });
  const marks = x.map((i) => {
    const m = judged.value.get(i)?.mark;
    return m && m !== "inaccuracy" ? y[i]! : null;
  });
  return { x, y, marks };
}

function Verdict() {
  const e = judged.value.get(ply.value);
  if (!e?.move) return null;
  const loss = e.loss ?? 0;
  return (
    <section class="verdict" data-testid="verdict" data-mark={e.mark ?? ""}>
      <p>
        <strong>
          {ply.value}. {e.move}
        </strong>{" "}
        {e.mark ? <span class={`tag ${e.mark.replace(" ", "-")}`}>{t(`mark.${e.mark}`)}</span> : <span class="tag good">{t("mark.fine")}</span>}
      </p>
      {e.best && e.best !== e.move && (e.mark || loss > 0.02) && (
        <>
          <p>{t("review.better", { point: e.best, loss: percent(loss) })}</p>
          {e.line && (
            <div class="row wrap">
              <Button
                icon="eye"
                pressed={better.value}
                testid="better"
                onClick={() => {
                  better.value = !better.value;
                  toTheBoard();
                }}
              >
                {t("review.showBetter")}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function Mistakes() {
  const all = [...judged.value.values()].filter((e) => e.mark).sort((a, b) => a.ply! - b.ply!);
  if (all.length === 0) return state.value === "done" && ending.value?.reason === "end" ? <p class="empty">{t("review.clean")}</p> : null;
  return (
    <ul class="mistakes" data-testid="mistakes">
      {all.map((e) => (
        <li key={e.ply}>
          <button type="button" class={e.ply === ply.value ? "here" : ""} onClick={() => look(e.ply!)}>
            <span class={`dot ${e.colour}`} />
            {e.ply}. {e.move}
            <span class={`tag ${e.mark!.replace(" ", "-")}`}>{t(`mark.${e.mark!}`)}</span>
            <span class="loss">−{percent(e.loss ?? 0)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Accuracy() {
  const a = ending.value?.accuracy;
  if (!a) return null;
  return (
    <p class="accuracy">
      <span class="dot b" /> {percent(a.b)} <span class="dot w" /> {percent(a.w)} <small>{t("review.accuracy")}</small>
    </p>
  );
}

export function Review() {
  const args = route.value.view === "review" ? route.value.args : [];
  useEffect(() => {
    if (linkState.value === "ready") void load(args);
    else if (state.value === "running") state.value = judged.value.size > 0 ? "done" : "none";
  }, [args.join("/"), linkState.value]);
  useEffect(() => stop, []);
  const jump = (by: number): void => stepTo(ply.value + by);
  useKeys([
    { key: "ArrowLeft", what: t("step.back"), act: () => jump(-1) },
    { key: "ArrowRight", what: t("step.forward"), act: () => jump(1) },
    { key: "Home", what: t("step.first"), act: () => stepTo(0) },
    { key: "End", what: t("step.last"), act: () => stepTo(10_000) },
    { key: "b", what: t("review.showBetter"), act: () => (better.value = !better.value) },
  ]);
  const s = subject.value;
  const at = ply.value;
  const now = scene();
  const data = curve();
  const done = judged.value.size;
  return (
    <div class="view with-board">
      <Board scene={now} label={t("board.label", { n: now.stones.length })} puts={null} />
      <aside class="panel" aria-label={t("view.review")}>
        <section>
          {!s || s.moves.length === 0 ? (
            <>
              <p>{t("review.nothing")}</p>
              <div class="actions">
                <Button icon="play" kind="primary" onClick={() => go("play")}>
                  {t("view.play")}
                </Button>
                <Button icon="library" onClick={() => go("library")}>
                  {t("view.library")}
                </Button>
              </div>
            </>
          ) : (
            <>
              <div class="row between">
                {state.value === "running" ? (
                  <Button icon="stop" kind="primary" testid="review-stop" onClick={stop}>
                    {t("analyse.stop")}
                  </Button>
                ) : (
                  <Button icon="review" kind="primary" testid="review-start" onClick={start}>
                    {t(state.value === "done" ? "review.again" : "review.start")}
                  </Button>
                )}
                <StepButtons onStep={jump} />
              </div>
              <Slider label={t("review.seconds")} text={t("ui.seconds", { n: seconds.value })} value={seconds.value} min={0.1} max={5} step={0.1} onChange={(v) => (seconds.value = v)} />
              {state.value === "running" && <progress max={s.moves.length + 1} value={done} aria-label={t("review.progress")} />}
              <small>
                {rulesText(s.rules)}
                {s.before === "" && openingText(s.rules, s.moves.map((m) => m.p))}
              </small>
            </>
          )}
        </section>
        {done > 0 && (
          <section>
            <h2>{t("analyse.curve")}</h2>
            <Graph
              label={t("analyse.curve")}
              testid="review-graph"
              data={[data.x, data.y, data.marks]}
              curves={[
                { label: t("colour.black"), colour: "#4c9a86", fill: "rgba(76,154,134,0.16)" },
                { label: t("review.mistakes"), colour: inks.blunder, dots: true },
              ]}
              height={170}
              range={[0, 100]}
              text={(v) => `${v}%`}
              here={ply.value}
              onPick={stepTo}
            />
            <Accuracy />
            <Mistakes />
          </section>
        )}
        <Verdict />
        {s && s.moves.length > 0 && (
          <section>
            <div class="row between">
              <h2>{t("moves.title")}</h2>
              {"game" in s.about && (
                <Button icon="analyse" kind="quiet" onClick={() => "game" in s.about && go("analyse", "game", s.about.game, ply.value)}>
                  {t("play.analyse")}
                </Button>
              )}
            </div>
            <MoveList
              moves={s.moves.map((m, i) => {
                const mark = judged.value.get(i + 1)?.mark;
                const written = s.comments?.[i] ?? "";
                const note = [mark ? t(`mark.${mark}`) : "", written].filter((x) => x !== "").join(": ");
                return { text: m.p, colour: m.c, commented: written !== "", ...(mark ? { mark } : {}), ...(note ? { note } : {}) };
              })}
              at={ply.value}
              onGo={look}
            />
            {s.comments && at > 0 && (
              <TextField key={`${s.key} ${at}`} label={t("comment.move", { n: at })} lines={2} testid="move-comment" value={s.comments[at - 1] ?? ""} onChange={(text) => void comment(s, at, text)} />
            )}
          </section>
        )}
      </aside>
    </div>
  );
}

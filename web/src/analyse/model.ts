// SPDX-License-Identifier: MIT
// What the analysis board looks at, and what the engine says of it.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { other, parsePoint, pointName, samePoint, splitMoves, type Colour, type Point } from "../base/point";
import { kept } from "../base/prefs";
import { route, settle } from "../base/router";
import type { SignKind } from "../board/scene";
import { t } from "../i18n";
import { explain } from "../net/explain";
import { fetchGame } from "../net/fetch_game";
import { hello, linkState, listen, Refusal, request, whenReady } from "../net/link";
import type { AnalysisEvent, Look, TreeFile, Weighed } from "../net/messages";
import { click } from "../base/sound";
import { announce, notify } from "../ui/announce";
import { hasForbidden, rulesCode, USUAL } from "../ui/rules";
import { clearPlace, shelve, unshelve, walk } from "./shelf";
import { signsOf, withSign } from "./signs";
import { aboutGame, aboutNode, childOf, holds, isBare, lineThrough, newNode, pathTo, promote, putBack, remove, rootOf, sideAt, stonesAt, treeOf, turnedName, turnedTree, type Base, type Node, type Turn } from "./tree";

export interface Preview {
  readonly moves: readonly string[];
  readonly first: Colour;
}

export type Tool = "play" | "b" | "w" | "erase" | "block" | SignKind;

/** As many as the server takes. */
const BLOCKED_MOST = 400;

const before = unshelve("tree");
export const base = signal<Base>(before?.base ?? { rules: USUAL, stones: "", side: "b" });
export const at = signal<Node>(before?.here ?? newNode(null, ""));
/** Grows with every change of the tree: nodes themselves are plain objects. */
export const revision = signal(0);
export const tool = signal<Tool>("play");
/** Points that the engine is not to play next; they stay while one walks about in the tree. */
export const blocked = signal<readonly string[]>([]);
export const preview = signal<Preview | null>(null);

export const running = signal(false);
export const found = signal<AnalysisEvent | null>(null);
export const heat = signal<readonly Weighed[]>([]);
export const looked = signal<Look | null>(null);
export const played = signal<readonly { p: string; games: number; black: number; white: number; draws: number }[]>([]);

export const wishes = kept("analysis", { lines: 3, seconds: 0, threads: 1, player: "", heat: false, watch: true });

export const side = computed(() => sideAt(base.value, at.value));

function touch(): void {
  revision.value++;
}

export function goTo(node: Node): void {
  batch(() => {
    if (node !== at.value) found.value = null;
    at.value = node;
    preview.value = null;
    touch();
  });
}

/** Whether the rules let this point be played now; if not, the reader hears why. */
function allows(look: Look | null, point: string): boolean {
  if (look?.winner) return false;
  const ban = look?.side === "b" && look.forbidden.find((f) => f.p === point);
  if (ban) notify(explain.forbidden(point, ban.why), "bad");
  return !ban;
}

/** What is known of the position; where it may still hold forbidden points it is waited for. */
async function knownLook(): Promise<Look | null> {
  if (looked.value || side.value === "w" || !hasForbidden(base.value.rules) || linkState.value !== "ready") return looked.value;
  return request("position.look", aboutNode(base.value, at.value)).catch(() => null);
}

export async function play(p: Point): Promise<void> {
  const from = at.value;
  const look = await knownLook();
  if (at.value !== from || !allows(look, pointName(p))) return;
  click();
  goTo(childOf(from, pointName(p)));
}

export function playLine(moves: readonly string[]): void {
  if (moves[0] && !allows(looked.value, moves[0])) return;
  let node = at.value;
  for (const m of moves) {
    if (!parsePoint(m)) break;
    node = childOf(node, m);
  }
  goTo(node);
}

export function step(by: number): void {
  let node = at.value;
  for (; by < 0 && node.parent; by++) node = node.parent;
  for (; by > 0 && node.children[0]; by--) node = node.children[0];
  if (node !== at.value) goTo(node);
}

/* What one press takes away, one press brings back: a line with its comments, a whole tree. */

const BACK_MS = 8000;
/** What was taken away last: a line, by its first node and its place, or a whole tree. */
let back: { readonly node: Node; readonly index: number } | (() => void) | null = null;

export function bringBack(): void {
  const last = back ?? bringTreeBack;
  back = null;
  if (typeof last === "function") last();
  else goTo(putBack(last.node, last.index));
}

function offerBack(): void {
  notify(t("analyse.gone"), "info", BACK_MS, bringBack);
}

/** The tree that was put aside, before a reload perhaps; what is on the board goes aside for it. */
function bringTreeBack(was = unshelve("aside")): void {
  clearPlace("aside");
  if (was) takeOver(was.base, was.here);
}

/** Another tree takes the place of this one, which can be brought back if anything of it would be lost. */
function takeOver(next: Base, here: Node): void {
  const was = { base: base.value, here: at.value };
  const root = rootOf(was.here);
  const stays = baseCode(was.base) === baseCode(next) && holds(rootOf(here), root);
  if (root !== rootOf(here)) back = null; // a line of the tree that goes
  if (!stays && !isBare(root)) {
    shelve("aside", was.base, was.here);
    back = () => bringTreeBack(was);
    offerBack();
  }
  show(next, here);
}

export function dropHere(): void {
  const node = at.value;
  const { parent } = node;
  if (!parent) return;
  const index = parent.children.indexOf(node);
  remove(node);
  goTo(parent);
  back = { node, index };
  if (!isBare(node)) offerBack();
}

export function promoteHere(): void {
  promote(at.value);
  touch();
}

function show(next: Base, here: Node): void {
  batch(() => {
    base.value = next;
    heat.value = [];
    found.value = null;
    tool.value = "play";
    blocked.value = [];
    goTo(here);
  });
}

/** A file with its variations: a game, an opening library. */
export function showFile(name: string, file: TreeFile): void {
  takeOver({ rules: file.rules, stones: file.stones, side: file.side, file: { name, about: file.about } }, treeOf(file.nodes, file.comment, file.signs));
}

export function comment(node: Node, text: string): void {
  node.comment = text;
  touch();
}

/** Draws a sign on a point, or takes it away. */
export function draw(kind: SignKind, p: Point): void {
  at.value.signs = withSign(at.value.signs, kind, p);
  const here = signsOf(at.value.signs).filter((s) => samePoint(s, p));
  announce(`${pointName(p)}: ${here.map((s) => t(`sign.${s.kind}`, { text: s.text })).join(", ") || t("sign.none")}`);
  touch();
}

/** A position or a line in place of the tree. */
export function replace(next: Base, moves: readonly string[] = [], ply = moves.length): void {
  const root = newNode(null, "");
  let node = root;
  let here = root;
  for (const m of moves) {
    node = newNode(node, m);
    if (node.depth <= ply) here = node;
  }
  takeOver(next, here);
}

/** Leaves a point out, or takes it in again. */
export function block(p: Point): void {
  if (stonesAt(base.value, at.value).stones.some((s) => samePoint(s, p))) return;
  const name = pointName(p);
  const all = blocked.value;
  blocked.value = all.includes(name) ? all.filter((b) => b !== name) : [...all, name].slice(-BLOCKED_MOST);
  announce(`${t("analyse.blocked")} ${blocked.value.join(", ")}`);
}

/** Puts or takes a stone outside the order of moves: what stands becomes the new beginning. */
export function place(p: Point): void {
  const { rules, position } = { ...aboutNode({ ...base.value, stones: base.value.stones || "b:/w:" }, at.value) };
  const parts = { b: new Set<string>(), w: new Set<string>() };
  for (const part of position.split("/")) {
    for (const m of splitMoves(part.slice(2)) ?? []) parts[part.startsWith("w") ? "w" : "b"].add(m);
  }
  const name = pointName(p);
  const had = parts.b.has(name) ? "b" : parts.w.has(name) ? "w" : null;
  parts.b.delete(name);
  parts.w.delete(name);
  if ((tool.value === "b" || tool.value === "w") && had !== tool.value) parts[tool.value].add(name);
  const kind = tool.value;
  const toMove = side.value;
  replace({ rules, stones: `b:${[...parts.b].join("")}/w:${[...parts.w].join("")}`, side: toMove });
  tool.value = kind;
}

export function turnOver(): void {
  const { rules, position } = aboutNode({ ...base.value, stones: base.value.stones || "b:/w:" }, at.value);
  replace({ rules, stones: position, side: other(side.value) });
}

/** Turns or mirrors the board with all that is on it. */
export function turnBoard(turn: Turn): void {
  const out = blocked.value.map((name) => turnedName(turn, base.value.rules, name));
  // A line that may be brought back is turned along, by way of the tree that it was taken from.
  const line = typeof back === "function" ? null : back;
  const stands = line && putBack(line.node, line.index);
  const turned = turnedTree(turn, base.value, at.value);
  if (line && stands === line.node) {
    const node = turned.became(stands);
    remove(node);
    back = { node, index: line.index };
  } else if (line) {
    back = null; // it was played again meanwhile, and has its comments again
  }
  show(turned.base, turned.here);
  blocked.value = out;
}

/* The address names the position, so a reload or a link brings it back. It has room for one line; the
   whole tree outlives a reload in this tab: each change is kept at once, since the page may be left the
   next moment. */

effect(() => {
  revision.value;
  shelve("tree", base.value, at.value);
});

function baseCode(b: Base): string {
  return [rulesCode(b.rules), b.stones, b.side].join(" ");
}

/** A tree that was kept, and the end of a line in it; null: there is none that has it. */
function keptNode(about: Base, moves: readonly string[]): { readonly was: Base; readonly end: Node } | null {
  for (const place of ["tree", "aside"] as const) {
    const was = unshelve(place);
    const end = was && baseCode(was.base) === baseCode(about) ? walk(rootOf(was.here), moves) : null;
    if (was && end) return { was: was.base, end };
  }
  return null;
}

/** The address that was followed or written last. */
let known = "";

export function remember(): void {
  const asked = route.value.args;
  // A link that is not followed yet is not to be written over.
  if (asked[0] === "at" && asked.join("/") !== known) return;
  const line = lineThrough(at.value).map((n) => n.move);
  const b = base.value;
  settle("analyse", "at", rulesCode(b.rules), b.stones || "-", b.side, line.join("") || "-", at.value.depth);
  known = route.value.args.join("/");
}

export async function follow(args: readonly string[]): Promise<void> {
  known = args.join("/");
  const [kind, ...rest] = args;
  if (kind === "game" && rest[0]) {
    try {
      const g = await fetchGame(rest[0]);
      const placed = g.setup && /[:/]/.test(g.setup.position) ? g.setup : null;
      let here = treeOf(g.moves.map((m, i) => [i, m.p, m.comment ?? ""]), g.comment);
      for (let ply = Number(rest[1] ?? g.moves.length); ply > 0 && here.children[0]; ply--) here = here.children[0];
      takeOver({ rules: g.rules, stones: placed?.position ?? "", side: placed?.side ?? "b", file: { name: g.name, about: aboutGame(g) } }, here);
      remember();
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      notify(explain.refusal(e), "bad");
    }
  } else if (kind === "at" && rest.length >= 5) {
    const code = /^(\w+)-(\d+)x(\d+)-(\d+)$/.exec(rest[0]!);
    if (!code) return;
    const rules = { rule: code[1]!, width: Number(code[2]), height: Number(code[3]), win: Number(code[4]) };
    const moves = rest[3] === "-" ? [] : (splitMoves(rest[3]!) ?? []);
    const about: Base = { rules, stones: rest[1] === "-" ? "" : rest[1]!, side: rest[2] === "w" ? "w" : "b" };
    const ply = Number(rest[4]);
    const kept = keptNode(about, moves);
    if (kept) takeOver(kept.was, pathTo(kept.end)[ply - 1] ?? rootOf(kept.end));
    else replace(about, moves, ply);
  }
}

/* The engine */

let current = "";
let askedFor: Node | null = null;

async function start(): Promise<void> {
  const w = wishes.value;
  askedFor = at.value;
  found.value = null;
  heat.value = [];
  try {
    const reply = await request("analysis.start", {
      ...aboutNode(base.value, at.value),
      lines: w.lines,
      heat: true,
      watch: true,
      threads: Math.max(1, Math.min(w.threads, hello.value?.limits.threads ?? 1)),
      ...(w.seconds > 0 ? { ms: w.seconds * 1000 } : {}),
      ...(w.player ? { player: w.player } : {}),
      ...(blocked.value.length > 0 ? { blocked: blocked.value } : {}),
    });
    current = reply.analysis;
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    if (e.code === "lost" || e.code === "cancelled") return;
    running.value = false;
    notify(explain.refusal(e), "bad");
  }
}

export function stop(): void {
  running.value = false;
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** True from the moment an analysis was asked for until it was told to stop. */
let busy = false;

effect(() => {
  const on = running.value && linkState.value === "ready";
  at.value;
  base.value;
  wishes.value;
  blocked.value;
  clearTimeout(timer);
  if (on) {
    busy = true;
    // Several steps in a row are one question.
    timer = setTimeout(() => untracked(() => void start()), 60);
  } else if (busy) {
    busy = false;
    void request("analysis.stop", {}).catch(() => undefined);
  }
});

listen("analysis", (e) => {
  if (current !== "" && e.analysis !== current && Number(e.analysis.slice(1)) < Number(current.slice(1))) return;
  current = e.analysis;
  const best = e.lines[0];
  if (best && best.value !== null && askedFor) {
    askedFor.value = e.side === "b" ? best.value : 1 - best.value;
    revision.value++;
  }
  // What was still on its way when the board went on is not about this position.
  if (askedFor !== at.value) return;
  if (e.heat) heat.value = e.heat;
  if (e.lines.length > 0 || e.state === "done") found.value = e;
  if (e.state === "done" && e.reason !== "stopped") running.value = false;
});

/* What is known at once: forbidden points, a winner, what was played here before. */

let lookTimer: ReturnType<typeof setTimeout> | undefined;
let lookNumber = 0;

function lookAround(): void {
  clearTimeout(lookTimer);
  lookTimer = setTimeout(() => {
    const number = ++lookNumber;
    const about = aboutNode(base.value, at.value);
    request("position.look", about).then(
      (look) => {
        if (number === lookNumber) looked.value = look;
      },
      () => undefined,
    );
    request("library.moves", about).then(
      (reply) => {
        if (number === lookNumber) played.value = reply.moves;
      },
      () => {
        if (number === lookNumber) played.value = [];
      },
    );
  }, 40);
}

/* The heat map needs no search: the evaluation knows at once what it would look at. */

let heatNumber = 0;

effect(() => {
  const wanted = wishes.value.heat && !running.value && linkState.value === "ready";
  const about = aboutNode(base.value, at.value);
  const number = ++heatNumber;
  heat.value = [];
  if (!wanted) return;
  request("position.policy", about).then(
    (reply) => {
      if (number === heatNumber && !running.value) heat.value = reply.moves;
    },
    () => undefined,
  );
});

effect(() => {
  at.value;
  base.value;
  looked.value = null;
  if (linkState.value === "ready") untracked(lookAround);
});
whenReady(lookAround);

export function valuesAlong(): { plies: number[]; values: (number | null)[] } {
  revision.value;
  const line = lineThrough(at.value);
  const root = pathTo(at.value)[0]?.parent ?? at.value;
  return { plies: [0, ...line.map((n) => n.depth)], values: [root.value, ...line.map((n) => n.value)] };
}

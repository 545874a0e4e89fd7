// SPDX-License-Identifier: MIT
// A game followed from here: the server owns it, this is its newest state, and one move of ours
// that the server has not confirmed yet.

import { computed, signal } from "@preact/signals";
import { click } from "../base/sound";
import { pointName, type Colour, type Point } from "../base/point";
import { currentGame } from "../base/prefs";
import { settle } from "../base/router";
import { listen, Refusal, request, whenReady } from "../net/link";
import type { Game, NewGame, Requests, Seat } from "../net/messages";
import { explain } from "../net/explain";
import { t, tJoin } from "../i18n";
import { announce, notify } from "../ui/announce";

interface Pending {
  readonly point: string;
  readonly colour: Colour;
  /** How many moves the game had when it was made. */
  readonly at: number;
}

export const game = signal<Game | null>(null);
export const pending = signal<Pending | null>(null);
/** When the newest state came, by this page's clock: clocks run on from there. */
export const heardAt = signal(0);

export const isOver = computed(() => game.value?.over !== null && game.value !== null);
export const humans = computed(() => (game.value?.sides ?? []).filter((s) => s.player === "human").length);
/** The seat of the only person; null with two or none. */
export const mySeat = computed<Seat | null>(() => {
  const sides = game.value?.sides;
  if (!sides || humans.value !== 1) return null;
  return sides[0].player === "human" ? 0 : 1;
});
export const myTurn = computed(() => {
  const g = game.value;
  return g?.turn != null && !pending.value && !g.paused && g.sides[g.turn.seat].player === "human";
});

/** Who has which colour is still to be chosen: what the seats have by then may change. */
export function coloursOpen(g: Game): boolean {
  return g.turn !== null && g.turn.ask !== "move";
}

function follow(next: Game): void {
  const now = game.value;
  if (next.game !== currentGame.value) return;
  const known = now?.game === next.game ? now : null;
  if (known && next.version <= known.version) return;
  if (next.from > 0 && (!known || next.version !== known.version + 1 || next.from > known.moves.length)) {
    void open(next.game);
    return;
  }
  const moves = next.from > 0 && known ? [...known.moves.slice(0, next.from), ...next.moves] : next.moves;
  const waits = pending.value;
  if (waits && (moves.length > waits.at || next.turn === null)) pending.value = null;
  heardAt.value = performance.now();
  game.value = { ...next, from: 0, moves };
  if (known) speak(known, game.value, waits);
}

/** Sound and word for what has just happened. */
function speak(before: Game, now: Game, mine: Pending | null): void {
  const last = now.moves[now.moves.length - 1];
  const said: string[] = [];
  if (last && now.moves.length > before.moves.length) {
    if (last.p !== mine?.point) click();
    said.push(t(last.c === "b" ? "say.black" : "say.white", { point: last.p }));
  } else if (now.moves.length < before.moves.length) {
    said.push(t("say.undone", { points: before.moves.slice(now.moves.length).map((m) => m.p).join(", ") }));
  }
  const me = mySeat.value;
  if (me !== null && before.turn?.seat !== me && before.turn?.ask !== "move" && before.colours[me] !== now.colours[me]) {
    notify(t(now.colours[me] === "w" ? "opening.tookBlack" : "opening.tookWhite"));
  }
  if (now.over && !before.over) said.push(outcome(now));
  if (said.length > 0) announce(said.join(". "));
}

/** The end of a game in one sentence. */
export function outcome(g: Game): string {
  if (!g.over) return "";
  const { winner, reason } = g.over;
  const only = mySeat.value;
  const gaveUp = reason === "resign" && only !== null && winner !== only;
  const how = gaveUp ? t("reason.resign.you") : explain.reason(reason, g.rules);
  if (winner === null) return tJoin(t("over.draw"), how);
  const colour = g.over.colour ?? g.colours[winner];
  const who =
    only === null ? t(colour === "b" ? "over.black" : "over.white") : t(only === winner ? "over.youWon" : "over.youLost");
  return tJoin(who, how);
}

/** Another game comes onto the board: the one before gives its place at the server back. */
export function enter(id: string): void {
  const before = currentGame.value;
  currentGame.value = id;
  if (before && before !== id) void request("game.close", { game: before }).catch(() => undefined);
}

export async function open(id: string): Promise<void> {
  enter(id);
  try {
    const reply = await request("game.open", { game: id });
    if (currentGame.value !== id) return;
    if (game.value?.game !== id) game.value = null;
    follow(reply.game);
    resend();
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    if (e.code === "lost") return;
    if (e.code !== "missing") notify(explain.refusal(e), "bad");
    currentGame.value = null;
    game.value = null;
    await begin(firstGame()).catch((no: unknown) => {
      if (!(no instanceof Refusal)) throw no;
      notify(explain.refusal(no), "bad");
    });
  }
}

export async function begin(wish: NewGame): Promise<void> {
  const reply = await request("game.new", wish);
  pending.value = null;
  game.value = null;
  enter(reply.game.game);
  settle("play"); // an address that names the game before would bring that one back
  follow(reply.game);
  announce(t("say.newGame"));
}

/** What a first visitor finds: black stones, an easy opponent, the usual board. */
function firstGame(): NewGame {
  return {
    rules: { rule: "freestyle", width: 15, height: 15, win: 5 },
    sides: [{ player: "human" }, { player: "ab:level=2" }],
  };
}

/** The same again; the two change seats, so the other one begins. */
export function again(g: Game): NewGame {
  return {
    rules: g.rules,
    phase: g.phase,
    sides: [g.sides[1], g.sides[0]],
    clock: g.clock,
    think_ms: g.think_ms,
    delay_ms: g.delay_ms,
    ...(g.setup ? { setup: g.setup } : {}),
  };
}

/** A move that was on its way when the connection broke is made again, if it still fits. */
function resend(): void {
  const waits = pending.value;
  const g = game.value;
  if (!waits || !g) return;
  const fits = g.moves.length === waits.at && g.turn?.colour === waits.colour;
  if (fits) void sendMove(g, waits);
  else pending.value = null;
}

async function sendMove(g: Game, wish: Pending): Promise<void> {
  try {
    await request("game.move", { game: g.game, point: wish.point, version: g.version });
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    if (e.code === "lost") return; // kept: resend decides when the game is open again
    pending.value = null;
    if (e.code === "stale") void open(g.game);
    else notify(explain.refusal(e), "bad");
  }
}

export function move(p: Point): void {
  const g = game.value;
  if (!g?.turn || !myTurn.value) return;
  const wish = { point: pointName(p), colour: g.turn.colour, at: g.moves.length };
  // Shown before the server has heard of it, unless it is known to be refused.
  if (!g.forbidden.includes(wish.point)) {
    pending.value = wish;
    click();
  }
  void sendMove(g, wish);
}

/** Any other request about the game; a reply with the whole game is taken over. */
export async function ask<K extends "game.undo" | "game.redo" | "game.goto" | "game.resign" | "game.draw" | "game.pause" | "game.set" | "game.comment" | "game.now" | "game.stones" | "game.swap">(
  what: K,
  fields: Omit<Requests[K][0], "game">,
): Promise<boolean> {
  const g = game.value;
  if (!g) return false;
  try {
    const reply: object = await request(what, { game: g.game, ...fields } as Requests[K][0]);
    if ("game" in reply && typeof reply.game === "object") follow(reply.game as Game);
    return true;
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    notify(explain.refusal(e), "bad");
    return false;
  }
}

listen("game", follow);
listen("game.gone", (gone) => {
  if (gone.game !== currentGame.value) return;
  currentGame.value = null;
  notify(t("play.gone"));
  void begin(firstGame());
});
whenReady(() => {
  if (currentGame.value) void open(currentGame.value);
  else void begin(firstGame());
});

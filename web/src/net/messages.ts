// SPDX-License-Identifier: MIT
// The messages of docs/protocol.md as types.

import type { Colour } from "../base/point";

export type RuleName = string;
export type Phase = string;
export type Seat = 0 | 1;

export interface Rules {
  readonly rule: RuleName;
  readonly width: number;
  readonly height: number;
  readonly win: number;
}

export interface OptionRow {
  readonly name: string;
  readonly type: "int" | "count" | "bytes" | "float" | "bool" | "text" | "choice";
  readonly min?: number | null;
  readonly max?: number | null;
  readonly default?: string | null;
  readonly choices?: readonly string[] | null;
  readonly help?: string;
}

export interface Kind {
  readonly kind: string;
  readonly about: string;
  readonly example?: string;
  readonly options: readonly OptionRow[];
}

export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly client: string;
  readonly rules: readonly RuleName[];
  readonly sizes: { readonly min: number; readonly max: number };
  readonly win: { readonly min: number; readonly max: number };
  readonly phases: readonly Phase[];
  readonly levels: { readonly min: number; readonly max: number };
  readonly players: readonly Kind[];
  readonly formats: { readonly in: readonly string[]; readonly out: readonly string[] };
  readonly learners: readonly Kind[];
  readonly limits: {
    readonly message_bytes: number;
    readonly messages_per_second: number;
    readonly games: number;
    readonly think_ms: number;
    readonly analysis_ms: number;
    readonly lines: number;
    readonly threads: number;
    readonly slots: number;
  };
  readonly trusted: boolean;
}

/** A position, or the moves of a game so far. */
export type About =
  | { readonly rules: Rules; readonly position: string; readonly side?: Colour }
  | { readonly game: string; readonly ply?: number };

export interface Move {
  readonly p: string;
  readonly c: Colour;
  readonly seat: Seat | null;
  readonly ms?: number;
  readonly left_ms?: number;
  readonly value?: number;
  readonly depth?: number;
  readonly nodes?: number;
  readonly comment?: string;
}

export interface Side {
  readonly player: string;
  readonly name?: string;
}

export interface Clock {
  readonly match_ms: number;
  readonly turn_ms: number;
  readonly increment_ms: number;
}

export interface Turn {
  readonly seat: Seat;
  readonly colour: Colour;
  readonly ask: "move" | "three" | "colour" | "colour_or_two";
  readonly thinking: boolean;
  readonly queued: number;
  readonly spent_ms: number;
}

export interface Game {
  readonly game: string;
  readonly version: number;
  readonly name: string;
  readonly comment: string;
  readonly tags: readonly string[];
  readonly created: string;
  readonly changed: string;
  readonly rules: Rules;
  readonly phase: Phase;
  readonly setup: { readonly position: string; readonly side?: Colour } | null;
  readonly sides: readonly [Side, Side];
  readonly colours: readonly [Colour, Colour];
  readonly clock: Clock;
  readonly think_ms: number;
  readonly delay_ms: number;
  readonly paused: boolean;
  readonly left_ms?: readonly [number, number];
  readonly from: number;
  readonly moves: readonly Move[];
  readonly plies: number;
  readonly undo: number;
  readonly redo: number;
  readonly turn: Turn | null;
  readonly row: readonly string[];
  readonly forbidden: readonly string[];
  readonly over: {
    readonly winner: Seat | null;
    readonly colour: Colour | null;
    readonly reason: string;
    readonly detail?: string;
  } | null;
}

export interface NewGame {
  readonly rules?: Rules;
  readonly phase?: Phase;
  readonly sides?: readonly [Side, Side];
  readonly clock?: Clock;
  readonly think_ms?: number;
  readonly delay_ms?: number;
  readonly setup?: { readonly position: string; readonly side?: Colour };
  readonly name?: string;
  readonly paused?: boolean;
}

export interface Look {
  readonly side: Colour;
  readonly stones: number;
  readonly winner: Colour | null;
  readonly row: readonly string[];
  readonly full: boolean;
  readonly forbidden: readonly { readonly p: string; readonly why: string }[];
  readonly points: readonly { readonly p: string; readonly b?: string; readonly w?: string }[];
}

export interface Weighed {
  readonly p: string;
  readonly w: number;
}

export interface Line {
  readonly move: string;
  /** null: who looks does not say. */
  readonly value: number | null;
  readonly mate: number | null;
  readonly depth: number;
  readonly line: readonly string[];
}

export interface AnalysisEvent {
  readonly on: "analysis";
  readonly analysis: string;
  readonly state: "queued" | "running" | "done";
  readonly reason: string | null;
  readonly detail?: string;
  readonly depth: number;
  readonly sel_depth: number;
  readonly nodes: number;
  readonly nps: number;
  readonly ms: number;
  readonly side: Colour;
  readonly lines: readonly Line[];
  readonly root?: { readonly now?: string | null; readonly lost?: readonly string[]; readonly done?: readonly string[] };
  readonly heat?: readonly Weighed[];
}

export type ReviewMark = "inaccuracy" | "mistake" | "blunder" | "missed win";

export interface ReviewEvent {
  readonly on: "review";
  readonly review: string;
  readonly ply?: number;
  readonly move?: string;
  readonly colour?: Colour;
  readonly before?: number;
  readonly after?: number;
  readonly best?: string | null;
  readonly line?: readonly string[];
  readonly mate?: number | null;
  readonly loss?: number;
  readonly mark?: ReviewMark | null;
  readonly state?: "done";
  readonly reason?: string;
  readonly detail?: string;
  readonly accuracy?: Readonly<Record<Colour, number>>;
}

export interface Balanced {
  readonly points: readonly string[];
  readonly value: number | null;
  /** False: nothing makes it even, these are only the nearest. */
  readonly even: boolean | null;
}

export interface Solved {
  readonly result: "win" | "none" | "unknown" | "draw";
  readonly by: Colour;
  readonly line: readonly string[];
  readonly plies: number;
  readonly exact: boolean;
  readonly nodes: number;
  readonly ms: number;
}

export interface Hint {
  readonly move?: string;
  readonly value?: number;
  readonly mate?: number | null;
  readonly line?: readonly string[];
  readonly depth?: number;
  readonly decision?: "swap" | "move" | "stones";
  readonly points?: readonly string[];
}

export interface GameRow {
  readonly game: string;
  readonly name: string;
  readonly rules: Rules;
  readonly phase: Phase;
  readonly black: string;
  readonly white: string;
  readonly result: string | null;
  readonly reason: string | null;
  readonly plies: number;
  readonly created: string;
  readonly changed: string;
  readonly tags: readonly string[];
  readonly comment: string;
  readonly source: string | null;
  /** "" for very long games. */
  readonly moves?: string;
  readonly match: { readonly ply: number } | null;
}

export interface ListQuery {
  readonly text?: string;
  /** Players without a name whom the text stands for as well. */
  readonly specs?: readonly string[];
  readonly rule?: string;
  readonly player?: string;
  readonly result?: string;
  readonly tag?: string;
  readonly rules?: Rules;
  readonly position?: string;
  readonly side?: Colour;
  readonly order?: string;
  readonly offset: number;
  readonly limit: number;
}

export interface FileText {
  readonly name: string;
  readonly type: string;
  readonly text?: string;
  readonly base64?: string;
}

/** What is drawn on the board at a node: labels by their points, and points as "h8i9". */
export interface Signs {
  readonly label?: Readonly<Record<string, string>>;
  readonly triangle?: string;
  readonly square?: string;
  readonly circle?: string;
  readonly cross?: string;
}

/** The node it follows (0: the beginning), the point, a comment if there is one, and what is drawn. */
export type TreeRow = readonly [number, string, string?, Signs?];

/** What a file says of its game beside the moves: players, event, result; the server knows which. */
export type AboutGame = Readonly<Record<string, string>>;

export interface TreeFile {
  readonly rules: Rules;
  readonly stones: string;
  readonly side: Colour;
  /** On the beginning. */
  readonly comment: string;
  readonly signs: Signs;
  readonly about: AboutGame;
  readonly nodes: readonly TreeRow[];
  readonly left_out: number;
  /** Moves that the board has no room for. */
  readonly cut: number;
  /** In the file; the first one is here. */
  readonly games: number;
}

export interface Suite {
  readonly suite: string;
  readonly name: string;
  readonly about: string;
  readonly count: number;
  readonly solved: number;
}

export interface ProblemRow {
  readonly number: number;
  readonly title: string;
  readonly goal: string;
  readonly plies: number | null;
  readonly solved: boolean;
}

export interface Problem extends ProblemRow {
  readonly suite: string;
  readonly rules: Rules;
  readonly position: string;
  readonly side: Colour;
}

export interface Tried {
  readonly state: "go on" | "solved" | "wrong" | "unclear" | "also wins";
  readonly reply: string | null;
  readonly why?: string;
  readonly refutation?: readonly string[];
}

export interface ArenaStart {
  readonly name?: string;
  readonly players: readonly { readonly name: string; readonly player: string }[];
  readonly rules: Rules;
  readonly games: number;
  readonly phase?: string;
  readonly clock?: Clock;
  readonly nodes?: number;
  readonly openings?: string;
  readonly random?: number;
  readonly sprt?: { readonly elo0: number; readonly elo1: number };
  readonly gauntlet?: boolean;
  readonly concurrency?: number;
}

export interface ArenaRow {
  readonly arena: string;
  readonly name: string;
  readonly players: readonly string[];
  readonly state: string;
  readonly done: number;
  readonly games: number;
  readonly began: string;
}

export interface Standing {
  readonly player: string;
  readonly elo: number;
  readonly plus: number;
  readonly minus: number;
  readonly games: number;
  readonly score: number;
  readonly draws: number;
}

export interface Pair {
  readonly players: readonly [string, string];
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly elo: number | null;
  readonly error: number | null;
  /** Between these the Elo lies, 95 times out of 100. */
  readonly low?: number;
  readonly high?: number;
  readonly los: number | null;
  readonly llr?: number;
  readonly bounds?: readonly [number, number];
  readonly verdict?: string | null;
}

/** Of pairs the first is Black's. */
export interface ArenaGame {
  readonly job: number;
  readonly black: string;
  readonly white: string;
  readonly plies: number;
  readonly moves: string;
  /** Not in what an older server has kept. */
  readonly used_ms?: readonly [number, number];
  readonly left_ms?: readonly [number, number];
  /** What each expected at its last move; null: it does not say. */
  readonly values?: readonly [number | null, number | null];
  /** While it is played. */
  readonly turn?: Colour;
  readonly spent_ms?: number;
  /** When it is over. */
  readonly result?: Colour | "draw";
  readonly reason?: string;
}

export interface ArenaState {
  readonly arena: string;
  readonly name: string;
  readonly state: "running" | "done" | "stopped" | "failed";
  readonly error: string | null;
  readonly rules: Rules;
  readonly players: readonly string[];
  readonly done: number;
  readonly games: number;
  readonly standings: readonly Standing[];
  readonly pairs: readonly Pair[];
  readonly boards: readonly ArenaGame[];
  readonly finished: readonly ArenaGame[];
}

export interface LearnRow {
  readonly learn: string;
  readonly kind: string;
  readonly name: string;
  readonly state: string;
  readonly done: number;
  readonly games: number;
  readonly began: string;
  readonly player: string | null;
}

export interface LearnPoint {
  readonly games: number;
  readonly loss?: number | null;
  readonly score?: Readonly<Record<string, number>> | null;
}

export interface LearnState {
  readonly learn: string;
  readonly kind: string;
  readonly name?: string;
  readonly state: "running" | "done" | "stopped" | "failed";
  readonly error: string | null;
  readonly from: number;
  readonly points: readonly LearnPoint[];
  /** From the first news on. */
  readonly rules?: Rules;
  readonly done?: number;
  readonly games?: number;
  readonly player: string | null;
}

export interface Pattern {
  readonly pattern: string;
  readonly stones: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly value: number;
  readonly count: number;
  readonly history: readonly (readonly [number, number])[];
}

/** What each request takes and what it brings. */
export interface Requests {
  hello: [{ protocol: number; client: string | null }, Hello];
  ping: [object, object];
  cancel: [{ request: number }, object];
  "game.new": [NewGame, { game: Game }];
  "game.open": [{ game: string }, { game: Game }];
  "game.close": [{ game: string }, object];
  "game.move": [{ game: string; point: string; version?: number }, { version: number }];
  "game.stones": [{ game: string; points: readonly string[] }, { version: number }];
  "game.swap": [{ game: string }, { version: number }];
  "game.undo": [{ game: string; count?: number }, { game: Game }];
  "game.redo": [{ game: string; count?: number }, { game: Game }];
  "game.goto": [{ game: string; undo: number }, { game: Game }];
  "game.resign": [{ game: string; seat?: Seat }, { game: Game }];
  "game.draw": [{ game: string }, { game: Game }];
  "game.pause": [{ game: string; on: boolean }, { game: Game }];
  "game.set": [
    { game: string; sides?: readonly [Side, Side]; think_ms?: number; delay_ms?: number; name?: string; comment?: string; tags?: readonly string[] },
    { game: Game },
  ];
  "game.comment": [{ game: string; ply: number; text: string }, { game: Game }];
  "game.now": [{ game: string }, object];
  "game.hint": [{ game: string; ms?: number }, Hint];
  "game.branch": [{ game: string; ply: number }, { game: Game }];
  "position.look": [About, Look];
  "position.policy": [About, { moves: readonly Weighed[] }];
  "position.balance": [About & { stones: number; ms: number }, Balanced];
  "threat.solve": [About & { goal: string; by: "mover" | "opponent"; ms: number }, Solved];
  "analysis.start": [
    About & { lines: number; ms?: number; player?: string; heat?: boolean; watch?: boolean; threads?: number; blocked?: readonly string[] },
    { analysis: string },
  ];
  "analysis.stop": [{ analysis?: string }, object];
  "review.start": [About & { ms: number }, { review: string; plies: number }];
  "review.stop": [object, object];
  "library.list": [ListQuery, { total: number; games: readonly GameRow[] }];
  "library.moves": [
    About,
    { moves: readonly { p: string; games: number; black: number; white: number; draws: number }[] },
  ];
  "library.delete": [{ games: readonly string[] }, { deleted: number }];
  "library.import": [{ name: string; text?: string; base64?: string; format?: string; rules?: Rules }, { games: readonly string[] }];
  "library.export": [{ games: readonly string[]; format: string }, FileText];
  "tree.read": [{ name: string; base64: string }, TreeFile];
  "tree.write": [{ rules: Rules; position: string; side: Colour; comment: string; signs: Signs; about?: AboutGame; nodes: readonly TreeRow[]; format: string }, FileText];
  "problem.suites": [object, { suites: readonly Suite[] }];
  "problem.list": [{ suite: string; offset: number; limit: number }, { problems: readonly ProblemRow[] }];
  "problem.get": [{ suite: string; number: number }, Problem];
  "problem.try": [{ suite: string; number: number; moves: readonly string[] }, Tried];
  "problem.solution": [{ suite: string; number: number; moves?: readonly string[] }, { line: readonly string[] }];
  "arena.start": [ArenaStart, { arena: string }];
  "arena.list": [object, { arenas: readonly ArenaRow[] }];
  "arena.export": [{ arena: string; format: string; from?: number }, FileText & { next: number | null }];
  "arena.watch": [{ arena: string }, ArenaState];
  "arena.unwatch": [object, object];
  "arena.stop": [{ arena: string }, object];
  "arena.resume": [{ arena: string }, object];
  "arena.delete": [{ arena: string }, object];
  "learn.start": [{ kind: string; options: Readonly<Record<string, string>>; name?: string }, { learn: string }];
  "learn.list": [object, { runs: readonly LearnRow[] }];
  "learn.watch": [{ learn: string }, LearnState];
  "learn.unwatch": [object, object];
  "learn.stop": [{ learn: string }, object];
  "learn.resume": [{ learn: string }, object];
  "learn.delete": [{ learn: string }, object];
  "pattern.list": [
    { learn?: string; order?: string; offset: number; limit: number },
    { total: number; patterns: readonly Pattern[] },
  ];
}

export interface Events {
  game: Game;
  "game.gone": { readonly game: string };
  analysis: AnalysisEvent;
  review: ReviewEvent;
  arena: ArenaState;
  learn: LearnState;
  queue: { readonly request: number; readonly ahead: number };
}

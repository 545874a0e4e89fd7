// SPDX-License-Identifier: MIT
// Points and positions as text. a1 is the lower left corner; after z come aa, ab, …

export type Colour = "b" | "w";

/** x counts columns from the left, y rows from below, both from 0. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export function other(colour: Colour): Colour {
  return colour === "b" ? "w" : "b";
}

export function columnName(x: number): string {
  return x < 26 ? String.fromCharCode(97 + x) : columnName(Math.floor(x / 26) - 1) + columnName(x % 26);
}

export function pointName(p: Point): string {
  return columnName(p.x) + (p.y + 1);
}

/** null where the text is no point. */
export function parsePoint(text: string): Point | null {
  const found = /^([a-z]{1,2})([1-9][0-9]{0,2})$/.exec(text.toLowerCase());
  if (!found) return null;
  const x = [...found[1]!].reduce((sum, c) => sum * 26 + c.charCodeAt(0) - 96, 0) - 1;
  return { x, y: Number(found[2]) - 1 };
}

/** "h8i9g7", or as people write games, "1. H8 2. I9" or "h8-i9", as a list of names; null where it is none. */
export function splitMoves(text: string): string[] | null {
  const plain = text
    .toLowerCase()
    .replace(/(?<![a-z0-9])\d+\./g, "")
    .replace(/[\s,;–-]+/g, "");
  const moves = plain.match(/[a-z]{1,2}[1-9][0-9]{0,2}/g) ?? [];
  return moves.join("") === plain ? moves : null;
}

export function samePoint(a: Point | null, b: Point | null): boolean {
  return a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y);
}

export function inside(p: Point, width: number, height: number): boolean {
  return p.x >= 0 && p.y >= 0 && p.x < width && p.y < height;
}

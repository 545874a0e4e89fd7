// SPDX-License-Identifier: MIT
// Scene: everything there is to see on a board, as data. Painter, SVG and GIF all draw from it.

import type { Colour, Point } from "../base/point";

export interface Stone extends Point {
  readonly colour: Colour;
}

/** A word or number on an empty point or a stone; the tone decides its colours. */
export interface Mark extends Point {
  readonly text: string;
  readonly small?: string;
  readonly tone: "best" | "good" | "plain" | "weak" | "bad";
}

export type SignKind = "label" | "triangle" | "square" | "circle" | "cross";

/** What a file draws on a point, empty or not; only a label has a text. */
export interface Sign extends Point {
  readonly kind: SignKind;
  readonly text: string;
}

/** A move that goes on from here in a tree; where there are several each has a letter. */
export interface Branch extends Point {
  readonly text: string;
}

/** A stone that is not there: looked ahead, offered, or waiting for a confirmation. */
export interface Ghost extends Stone {
  readonly text?: string;
  readonly strong?: boolean;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  /** In the order they were played, where there was one. */
  readonly stones: readonly Stone[];
  /** The number on the first stone; null: no numbers. Those before it carry none. */
  readonly numbersFrom: number | null;
  readonly last: Point | null;
  /** The winning row. */
  readonly row: readonly Point[];
  readonly forbidden: readonly Point[];
  /** 0 … 1 a point: the more, the warmer. */
  readonly heat: readonly (Point & { readonly weight: number })[];
  readonly branches: readonly Branch[];
  readonly signs: readonly Sign[];
  readonly marks: readonly Mark[];
  readonly ghosts: readonly Ghost[];
  readonly coordinates: boolean;
}

export function emptyScene(width: number, height: number): Scene {
  return {
    width,
    height,
    stones: [],
    numbersFrom: null,
    last: null,
    row: [],
    forbidden: [],
    heat: [],
    branches: [],
    signs: [],
    marks: [],
    ghosts: [],
    coordinates: true,
  };
}

/** Where the dots are: the customary nine or five on an odd square board, else the middle alone; none
 * where there is nothing to find one's way in, such as the line of a pattern. */
export function starPoints(width: number, height: number): Point[] {
  if (Math.min(width, height) < 5) return [];
  const axis = (n: number): number[] => {
    if (n < 9 || n % 2 === 0) return n % 2 === 1 ? [(n - 1) / 2] : [];
    const edge = n < 13 ? 2 : 3;
    return [edge, (n - 1) / 2, n - 1 - edge];
  };
  const xs = axis(width);
  const ys = axis(height);
  const all = xs.flatMap((x) => ys.map((y) => ({ x, y })));
  if (Math.min(width, height) >= 17 || all.length < 9) return all;
  const middle = (n: number): number => (n - 1) / 2;
  // Up to 16 the dots on the middle lines but for the centre are left out.
  return all.filter((p) => (p.x === middle(width)) === (p.y === middle(height)));
}

// SPDX-License-Identifier: MIT
// From what the server says of stones to what the board shows.

import { other, parsePoint, pointName, splitMoves, type Colour, type Point } from "../base/point";
import { coordinates, numbers } from "../base/prefs";
import type { Game, Rules } from "../net/messages";
import { emptyScene, type Scene, type Stone } from "../board/scene";

export function pointsOf(names: readonly string[]): Point[] {
  return names.map(parsePoint).filter((p) => p !== null);
}

/** Stones of "h8i9" (Black first) or "b:h8/w:i9". */
export function stonesOf(position: string): Stone[] {
  if (!/[:/]/.test(position)) {
    return pointsOf(splitMoves(position) ?? []).map((p, i) => ({ ...p, colour: i % 2 === 0 ? "b" : "w" }));
  }
  return position.split("/").flatMap((part) => {
    const colour: Colour = part.startsWith("w") ? "w" : "b";
    return pointsOf(splitMoves(part.slice(2)) ?? []).map((p) => ({ ...p, colour }));
  });
}

/** Stones that alternate from a colour on: a line that is looked at. */
export function lineOf(moves: readonly string[], first: Colour): Stone[] {
  return moves.flatMap((name, i) => {
    const p = parsePoint(name);
    return p ? [{ ...p, colour: i % 2 === 0 ? first : other(first) }] : [];
  });
}

export function sceneOf(rules: Rules, stones: readonly Stone[], unnumbered = 0): Scene {
  return {
    ...emptyScene(rules.width, rules.height),
    stones,
    last: stones.length > unnumbered ? stones[stones.length - 1]! : null,
    numbersFrom: numbers.value ? 1 - unnumbered : null,
    coordinates: coordinates.value,
  };
}

/** The other way round: stones as "b:h8/w:i9". */
export function unordered(stones: readonly Stone[]): string {
  const of = (c: Colour): string => stones.filter((s) => s.colour === c).map(pointName).join("");
  return `b:${of("b")}/w:${of("w")}`;
}

/** Setup stones that are not moves of the game come first and carry no number. */
export function stonesOfGame(g: Game): { stones: Stone[]; unnumbered: number } {
  const setup = g.setup && /[:/]/.test(g.setup.position) ? stonesOf(g.setup.position) : [];
  const played = g.moves.flatMap((m) => {
    const p = parsePoint(m.p);
    return p ? [{ ...p, colour: m.c }] : [];
  });
  return { stones: [...setup, ...played], unnumbered: setup.length };
}

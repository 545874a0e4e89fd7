// SPDX-License-Identifier: MIT
// Signs: what is drawn on the board at a node of a tree, as files and the server have it.

import { parsePoint, splitMoves } from "../base/point";
import type { Sign, SignKind } from "../board/scene";
import type { Signs } from "../net/messages";
import { pointsOf } from "../play/scene";

export const SHAPES = ["triangle", "square", "circle", "cross"] as const satisfies readonly SignKind[];

export function hasSigns(signs: Signs): boolean {
  return Object.keys(signs).length > 0;
}

export function sameSigns(a: Signs, b: Signs): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** For the board: labels last, so that they lie above. */
export function signsOf(signs: Signs): Sign[] {
  const shapes = SHAPES.flatMap((kind) => pointsOf(splitMoves(signs[kind] ?? "") ?? []).map((p) => ({ ...p, kind, text: "" })));
  const labels = Object.entries(signs.label ?? {}).flatMap(([name, text]) => {
    const p = parsePoint(name);
    return p ? [{ ...p, kind: "label" as const, text }] : [];
  });
  return [...shapes, ...labels];
}

/** The same with every point under another name. */
export function renamedSigns(signs: Signs, name: (old: string) => string): Signs {
  const to: { -readonly [K in keyof Signs]: Signs[K] } = {};
  if (signs.label) to.label = Object.fromEntries(Object.entries(signs.label).map(([p, text]) => [name(p), text]));
  for (const kind of SHAPES) {
    if (signs[kind]) to[kind] = (splitMoves(signs[kind]) ?? []).map(name).join("");
  }
  return to;
}

// SPDX-License-Identifier: MIT
// Signs: what is drawn on the board at a node of a tree, as files and the server have it.

import { parsePoint, pointName, samePoint, splitMoves, type Point } from "../base/point";
import type { Sign, SignKind } from "../board/scene";
import type { Signs } from "../net/messages";
import { pointsOf } from "../play/scene";

const SHAPES = ["triangle", "square", "circle", "cross"] as const satisfies readonly SignKind[];
export const SIGNS: readonly SignKind[] = ["label", ...SHAPES];

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

function signsFrom(drawn: readonly Sign[]): Signs {
  const labels = drawn.filter((s) => s.kind === "label").map((s) => [pointName(s), s.text]);
  const shapes = SHAPES.map((kind) => [kind, drawn.filter((s) => s.kind === kind).map(pointName).join("")]);
  return {
    ...(labels.length > 0 ? { label: Object.fromEntries(labels) } : {}),
    ...Object.fromEntries(shapes.filter(([, points]) => points !== "")),
  };
}

/** The same with every point under another name. */
export function renamedSigns(signs: Signs, name: (old: string) => string): Signs {
  return signsFrom(signsOf(signs).map((s) => ({ ...s, ...parsePoint(name(pointName(s))) })));
}

/** The first letter that is not on the board yet; after Z come numbers. */
function freeLabel(drawn: readonly Sign[]): string {
  for (let i = 0; ; i++) {
    const text = i < 26 ? String.fromCharCode(65 + i) : String(i - 25);
    if (!drawn.some((s) => s.text === text)) return text;
  }
}

/** With a sign more, in the place of what was drawn on the point; without it, if it is there already. */
export function withSign(signs: Signs, kind: SignKind, p: Point): Signs {
  const drawn = signsOf(signs);
  const others = drawn.filter((s) => !samePoint(s, p));
  if (drawn.some((s) => s.kind === kind && samePoint(s, p))) return signsFrom(others);
  return signsFrom([...others, { ...p, kind, text: kind === "label" ? freeLabel(others) : "" }]);
}

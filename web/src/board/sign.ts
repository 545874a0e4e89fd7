// SPDX-License-Identifier: MIT
// Sign: how that looks which a file draws on a point. Canvas and SVG take the same lines and the same
// sizes, measured in radii of a stone, so a picture shows what the board showed.

import type { Colour, Point } from "../base/point";
import type { Scene, Sign, SignKind } from "./scene";
import { inkOn, type Skin } from "./skin";

/** Lines around the point, as SVG and Path2D both read them; a label has none. */
export const signPaths: Record<SignKind, string> = {
  label: "",
  triangle: "M0-.58L.56.39H-.56Z",
  square: "M-.44-.44H.44V.44H-.44Z",
  circle: "M0-.52A.52.52 0 0 1 0 .52A.52.52 0 0 1 0-.52Z",
  cross: "M-.42-.42L.42.42M.42-.42L-.42.42",
};

export const SIGN_PEN = 0.17;
/** On an empty point wood is laid under a sign, so that no line of the board runs through it. */
const WOOD = 0.84;

/** Letters of the East are twice as wide as others. */
function widthOf(text: string): number {
  return [...text].reduce((sum, c) => sum + (c.codePointAt(0)! > 0x2e7f ? 2 : 1), 0);
}

/** How large text may be that is to fit into a circle. */
export function textSize(text: string): number {
  return [0, 1.12, 1, 0.82, 0.68][Math.min(widthOf(text), 4)] ?? 0.6;
}

const LABEL_WIDTH = 5;

/** What of a label there is room for. */
function shortLabel(text: string): string {
  if (widthOf(text) <= LABEL_WIDTH) return text;
  const letters = [...text];
  while (widthOf(letters.join("")) >= LABEL_WIDTH) letters.pop();
  return `${letters.join("")}…`;
}

export interface PlacedSign extends Sign {
  /** The stone below it. */
  readonly on: Colour | null;
  readonly ink: string;
  /** Of the stone, or of the wood below it. */
  readonly radius: number;
}

/** The signs of a scene with what they are drawn on, and whether a point has one. */
export function placeSigns(scene: Scene, skin: Skin): { readonly signs: readonly PlacedSign[]; readonly has: (p: Point) => boolean } {
  const place = (p: Point): number => p.y * scene.width + p.x;
  const taken = new Set(scene.signs.map(place));
  const stones = new Map(scene.stones.map((s) => [place(s), s.colour]));
  const forbidden = new Set(scene.forbidden.map(place));
  const signs = scene.signs.map((sign) => {
    const on = stones.get(place(sign)) ?? null;
    const wood = forbidden.has(place(sign)) ? skin.forbidden : skin.label;
    return { ...sign, text: shortLabel(sign.text), radius: on === null ? WOOD : 1, on, ink: on === null ? wood : inkOn(on) };
  });
  return { signs, has: (p) => taken.has(place(p)) };
}

// SPDX-License-Identifier: MIT
// Shelf: trees that outlive a reload in this tab, each in a place of its own: the one on the board, and the
// one that was put aside for it.

import { partsOf, treeOf, type Base, type Node } from "./tree";

export type Place = "tree" | "aside";

export interface Shelved {
  readonly base: Base;
  readonly here: Node;
}

interface Text extends ReturnType<typeof partsOf> {
  readonly base: Base;
  /** The moves to where one was. */
  readonly here: readonly string[];
}

const key = (place: Place): string => `goren.${place}`;

export function shelve(place: Place, base: Base, here: Node): void {
  const moves: string[] = [];
  let root = here;
  for (; root.parent; root = root.parent) moves.unshift(root.move);
  const text: Text = { base, here: moves, ...partsOf(root) };
  try {
    sessionStorage.setItem(key(place), JSON.stringify(text));
  } catch {
    // Too large for the tab's memory: the line is in the address.
  }
}

export function unshelve(place: Place): Shelved | null {
  try {
    const text = sessionStorage.getItem(key(place));
    if (text === null) return null;
    const was = JSON.parse(text) as Text;
    const root = treeOf(was.nodes, was.comment, was.signs);
    return { base: was.base, here: walk(root, was.here) ?? root };
  } catch {
    return null;
  }
}

export function clearPlace(place: Place): void {
  try {
    sessionStorage.removeItem(key(place));
  } catch {
    // There was nothing then.
  }
}

/** The node at the end of these moves; null: the tree does not have them. */
export function walk(root: Node, moves: readonly string[]): Node | null {
  let node: Node | undefined = root;
  for (const m of moves) node = node?.children.find((c) => c.move === m);
  return node ?? null;
}

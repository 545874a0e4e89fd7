// SPDX-License-Identifier: MIT
// Tree: a position and everything tried from it. The path from the root to a node is a line of
// moves; the first child of each node is the main line.

import { other, parsePoint, pointName, type Colour } from "../base/point";
import type { Stone } from "../board/scene";
import type { AboutGame, Game, Rules, Signs, TreeRow } from "../net/messages";
import { lineOf, stonesOf, unordered } from "../play/scene";
import { hasSigns, renamedSigns, sameSigns } from "./signs";

export interface Node {
  readonly move: string;
  readonly parent: Node | null;
  readonly children: Node[];
  readonly depth: number;
  /** What Black can expect here, as far as it was looked at. */
  value: number | null;
  comment: string;
  /** What is drawn on the board here. */
  signs: Signs;
}

export interface Base {
  readonly rules: Rules;
  /** Stones without an order that stand before the first move; "": none. */
  readonly stones: string;
  readonly side: Colour;
  /** Of a tree from a file: its name, and what it says of the game. */
  readonly file?: { readonly name: string; readonly about: AboutGame };
}

/** What a file says of a game beside its moves. */
export function aboutGame(g: Game): AboutGame {
  const at = (colour: Colour): string => {
    const side = g.sides[g.colours.indexOf(colour)];
    return side ? side.name || side.player : "";
  };
  const result = g.over ? { result: g.over.colour ?? "draw", reason: g.over.reason } : {};
  return { black: at("b"), white: at("w"), name: g.name, date: g.created.slice(0, 10), ...result };
}

/** What a file of the tree is called: by the players, or like the one it came from. */
export function fileName({ file }: Base): string {
  const players = [file?.about.black, file?.about.white].filter(Boolean).join(" - ");
  return `${players || file?.name.replace(/\.[^.]*$/, "") || "analysis"}.sgf`;
}

export function newNode(parent: Node | null, move: string): Node {
  const node: Node = { move, parent, children: [], depth: parent ? parent.depth + 1 : 0, value: null, comment: "", signs: {} };
  parent?.children.push(node);
  return node;
}

export function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let n: Node | null = node; n?.parent; n = n.parent) path.unshift(n);
  return path;
}

/** The line through a node, on along the main line to its end. */
export function lineThrough(node: Node): Node[] {
  const line = pathTo(node);
  for (let n = node.children[0]; n; n = n.children[0]) line.push(n);
  return line;
}

export function rootOf(node: Node): Node {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

/** The tree of a file; returns its root. */
export function treeOf(rows: readonly TreeRow[], comment = "", signs: Signs = {}): Node {
  const nodes = [newNode(null, "")];
  nodes[0]!.comment = comment;
  nodes[0]!.signs = signs;
  for (const [parent, move, said, drawn] of rows) {
    const node = newNode(nodes[parent] ?? nodes[0]!, move);
    node.comment = said ?? "";
    node.signs = drawn ?? {};
    nodes.push(node);
  }
  return nodes[0]!;
}

/** And back: parents before their children, main lines first. */
export function partsOf(root: Node): { readonly comment: string; readonly signs: Signs; readonly nodes: readonly TreeRow[] } {
  const rows: TreeRow[] = [];
  const waiting = root.children.map((node) => ({ node, parent: 0 })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, parent } = next;
    if (hasSigns(node.signs)) rows.push([parent, node.move, node.comment, node.signs]);
    else rows.push(node.comment ? [parent, node.move, node.comment] : [parent, node.move]);
    const number = rows.length;
    for (const child of [...node.children].reverse()) waiting.push({ node: child, parent: number });
  }
  return { comment: root.comment, signs: root.signs, nodes: rows };
}

/** Whether nothing would be lost with a node but itself. */
export function isBare(node: Node): boolean {
  return node.children.length === 0 && node.comment === "" && !hasSigns(node.signs);
}

/** Whether all moves, comments and signs of a tree are in another one, too. */
export function holds(whole: Node, part: Node): boolean {
  const waiting: [Node, Node][] = [[whole, part]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [here, wanted] = next;
    if (wanted.comment !== "" && wanted.comment !== here.comment) return false;
    if (hasSigns(wanted.signs) && !sameSigns(wanted.signs, here.signs)) return false;
    for (const child of wanted.children) {
      const twin = here.children.find((c) => c.move === child.move);
      if (!twin) return false;
      waiting.push([twin, child]);
    }
  }
  return true;
}

export function childOf(node: Node, move: string): Node {
  return node.children.find((c) => c.move === move) ?? newNode(node, move);
}

export function remove(node: Node): void {
  const siblings = node.parent?.children;
  siblings?.splice(siblings.indexOf(node), 1);
}

/** Puts a node that was removed where it was; what has grown there meanwhile stays. Returns the node that has it now. */
export function putBack(node: Node, index: number): Node {
  const siblings = node.parent!.children;
  const twin = siblings.find((c) => c.move === node.move);
  if (!twin) {
    siblings.splice(index, 0, node);
    return node;
  }
  const waiting: [Node, Node][] = [[twin, node]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [into, from] = next;
    into.comment ||= from.comment;
    into.value ??= from.value;
    if (!hasSigns(into.signs)) into.signs = from.signs;
    for (const child of from.children) waiting.push([childOf(into, child.move), child]);
  }
  return twin;
}

/** Makes the line through a node the main one. */
export function promote(node: Node): void {
  for (let n: Node | null = node; n?.parent; n = n.parent) {
    const siblings: Node[] = n.parent.children;
    siblings.splice(siblings.indexOf(n), 1);
    siblings.unshift(n);
  }
}

/** A quarter to the right, or left and right exchanged: each turn and mirror image is made of these. */
export type Turn = "rotate" | "mirror";

/** Where a point of a board comes to lie. */
export function turnedName(turn: Turn, rules: Rules, name: string): string {
  const p = parsePoint(name);
  if (!p) return name;
  return pointName(turn === "rotate" ? { x: p.y, y: rules.width - 1 - p.x } : { x: rules.width - 1 - p.x, y: p.y });
}

/** The same tree on the turned board, and the node in it that a node has become. */
export function turnedTree(turn: Turn, base: Base, here: Node): { readonly base: Base; readonly here: Node; readonly became: (old: Node) => Node } {
  const { rules } = base;
  const name = (old: string): string => turnedName(turn, rules, old);
  const old = rootOf(here);
  const become = new Map([[old, copyOf(old, null, name)]]);
  const waiting = [old];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const child of node.children) become.set(child, copyOf(child, become.get(node)!, name));
    waiting.push(...node.children);
  }
  const stones = base.stones && unordered(stonesOf(base.stones).map((s) => ({ ...s, ...parsePoint(name(pointName(s)))! })));
  const size = turn === "rotate" ? { width: rules.height, height: rules.width } : {};
  return { base: { ...base, rules: { ...rules, ...size }, stones }, here: become.get(here)!, became: (node) => become.get(node)! };
}

function copyOf(node: Node, parent: Node | null, name: (old: string) => string): Node {
  const copy = newNode(parent, name(node.move));
  copy.comment = node.comment;
  copy.value = node.value;
  copy.signs = renamedSigns(node.signs, name);
  return copy;
}

export function sideAt(base: Base, node: Node): Colour {
  return node.depth % 2 === 0 ? base.side : other(base.side);
}

export function stonesAt(base: Base, node: Node): { stones: Stone[]; unnumbered: number } {
  const before = stonesOf(base.stones);
  return { stones: [...before, ...lineOf(pathTo(node).map((n) => n.move), base.side)], unnumbered: before.length };
}

/** The position for the server: moves in order where that is the whole story, else stones. */
export function aboutNode(base: Base, node: Node): { rules: Rules; position: string; side?: Colour } {
  if (base.stones === "" && base.side === "b") {
    return { rules: base.rules, position: pathTo(node).map((n) => n.move).join("") };
  }
  return { rules: base.rules, position: unordered(stonesAt(base, node).stones), side: sideAt(base, node) };
}

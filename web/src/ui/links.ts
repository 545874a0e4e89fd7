// SPDX-License-Identifier: MIT
// Links: a line of moves from the empty board, taken to another view.

import { go } from "../base/router";
import type { Rules } from "../net/messages";
import { rulesCode } from "./rules";

export function analyse(rules: Rules, moves: string, ply: number): void {
  go("analyse", "at", rulesCode(rules), "-", "b", moves || "-", ply);
}

export function review(rules: Rules, moves: string): void {
  go("review", "moves", rules.rule, `${rules.width}x${rules.height}`, rules.win, moves);
}

// SPDX-License-Identifier: MIT
// The names of renju's 26 openings. Black's first stone lies in the middle, White's beside it (direct)
// or at its corner (indirect), Black's second within two points; turned and mirrored ones are the same:
//
//      .  .  D1 D2 D3        .  .  .  .  I1
//      .  .  w  D4 D5        .  .  .  w  I2
//      .  .  b  D6 D7        .  .  b  I6 I3
//      .  .  D8 D9 D10       .  I11 I9 I7 I4
//      .  .  D11 D12 D13     I13 I12 I10 I8 I5

import { parsePoint } from "../base/point";
import { tOr } from "../i18n";
import type { Rules } from "../net/messages";

// Black's second stone in the order of the numbers, as "x,y" from the first.
const direct = "0,2 1,2 2,2 1,1 2,1 1,0 2,0 0,-1 1,-1 2,-1 0,-2 1,-2 2,-2".split(" ");
const indirect = "2,2 2,1 2,0 2,-1 2,-2 1,0 1,-1 1,-2 0,-1 0,-2 -1,-1 -1,-2 -2,-2".split(" ");

/** As "D4"; null: it is none of them. */
export function openingCode(rules: Rules, moves: readonly string[]): string | null {
  const [first, second, third] = moves.slice(0, 3).map((m) => parsePoint(m));
  if (!first || !second || !third) return null;
  if (first.x * 2 !== rules.width - 1 || first.y * 2 !== rules.height - 1) return null;
  let [wx, wy, bx, by] = [second.x - first.x, second.y - first.y, third.x - first.x, third.y - first.y];
  if (Math.max(Math.abs(wx), Math.abs(wy)) !== 1) return null;
  if (wx < 0) [wx, bx] = [-wx, -bx];
  if (wy < 0) [wy, by] = [-wy, -by];
  if (wy === 0) [wx, wy, bx, by] = [wy, wx, by, bx];
  const slanting = wx === 1;
  if (slanting ? bx < by : bx < 0) [bx, by] = slanting ? [by, bx] : [-bx, by];
  const number = (slanting ? indirect : direct).indexOf(`${bx},${by}`) + 1;
  return number > 0 ? `${slanting ? "I" : "D"}${number}` : null;
}

/** As " · Kagetsu D4", to be put behind the rules; "" where there is no name. */
export function openingText(rules: Rules, moves: readonly string[]): string {
  const code = openingCode(rules, moves);
  return code === null ? "" : ` · ${tOr(`named.${code}`, "")}\u00a0${code}`;
}

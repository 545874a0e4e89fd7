// SPDX-License-Identifier: MIT
// What the server says in codes, in the reader's language. Where there is no translation its own
// sentence stands.

import { t, tOr, tSaid } from "../i18n";
import type { Refusal } from "./link";
import type { Rules } from "./messages";

function forbidden(point: string, why: string): string {
  return t("refused.forbidden", { point, why: tOr(`why.${why}`, why) });
}

function refusal(e: Refusal): string {
  if (e.code === "forbidden" && e.why) return forbidden(/\b[a-z]{1,2}[0-9]{1,3}\b/.exec(e.message)?.[0] ?? "", e.why);
  if (e.code === "lost") return t("refused.lost");
  return e.message === "" ? tOr(`refused.${e.code}`, e.code) : tSaid(e.message);
}

function reason(code: string, rules: Rules): string {
  return code === "five" ? t("reason.five", { n: rules.win }) : tOr(`reason.${code}`, code);
}

export const explain = { refusal, forbidden, reason };

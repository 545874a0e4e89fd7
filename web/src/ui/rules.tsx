// SPDX-License-Identifier: MIT
// Choosing what is played: rule, size, how many in a row.

import { useState } from "preact/hooks";
import { hello } from "../net/link";
import type { Rules } from "../net/messages";
import { t, tOr } from "../i18n";
import { NumberField, Segments } from "./controls";

export const USUAL: Rules = { rule: "freestyle", width: 15, height: 15, win: 5 };

export function ruleName(rule: string): string {
  return tOr(`rule.${rule}`, rule);
}

/** The only rule in which a point can be forbidden. */
export function hasForbidden(rules: Rules): boolean {
  return rules.rule === "renju";
}

export function rulesText(rules: Rules): string {
  const size = `${rules.width}×${rules.height}`;
  const win = rules.win === 5 ? "" : ` · ${t("rules.inRow", { n: rules.win })}`;
  return `${ruleName(rules.rule)} · ${size}${win}`;
}

/** As addresses have them. */
export function rulesCode(r: Rules): string {
  return `${r.rule}-${r.width}x${r.height}-${r.win}`;
}

const SIZES = [9, 13, 15, 19, 20];

export function RulesPicker({ value, onChange }: { readonly value: Rules; readonly onChange: (rules: Rules) => void }) {
  const server = hello.value;
  const limits = server?.sizes ?? { min: 5, max: 100 };
  const win = server?.win ?? { min: 3, max: 10 };
  const square = value.width === value.height;
  const [own, setOwn] = useState(!square || !SIZES.includes(value.width));
  return (
    <div class="rules-picker">
      <Segments
        label={t("rules.rule")}
        testid="rule"
        value={value.rule}
        choices={(server?.rules ?? [value.rule]).map((r) => ({ value: r, text: ruleName(r), title: tOr(`rule.${r}.about`, "") }))}
        onChange={(rule) => onChange({ ...value, rule })}
      />
      <p class="about">{tOr(`rule.${value.rule}.about`, "")}</p>
      <Segments
        label={t("rules.size")}
        testid="size"
        value={own ? 0 : value.width}
        choices={[...SIZES.map((n) => ({ value: n, text: String(n), title: `${n}×${n}` })), { value: 0, text: t("rules.ownSize") }]}
        onChange={(n) => {
          setOwn(n === 0);
          if (n > 0) onChange({ ...value, width: n, height: n });
        }}
      />
      {own && (
        <div class="row">
          <NumberField label={t("rules.width")} testid="width" value={value.width} min={limits.min} max={limits.max} onChange={(width) => onChange({ ...value, width })} />
          <NumberField label={t("rules.height")} testid="height" value={value.height} min={limits.min} max={limits.max} onChange={(height) => onChange({ ...value, height })} />
        </div>
      )}
      <NumberField label={t("rules.win")} testid="win" value={value.win} min={win.min} max={win.max} onChange={(n) => onChange({ ...value, win: n })} />
    </div>
  );
}

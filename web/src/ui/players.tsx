// SPDX-License-Identifier: MIT
// Choosing who plays: a person, goren at a level, or any other kind the server has. A player is a
// spec, "kind:key=value,…", as on the command line.

import { joinSpec, splitSpec, type Options } from "../base/spec";
import { hello } from "../net/link";
import type { OptionRow } from "../net/messages";
import { t, tHelp, tOr, tSaid } from "../i18n";
import { Check, NumberField, Select, Slider, TextField } from "./controls";

export function levelOf(spec: string): number | null {
  const found = /^ab:level=(\d+)$/.exec(spec);
  return found ? Number(found[1]) : null;
}

export function levelName(level: number): string {
  return tOr(`level.${level}`, String(level));
}

/** As it is chosen: the number says which is the stronger one. */
export function levelChoice(level: number): string {
  return `${level} · ${levelName(level)}`;
}

export function playerName(spec: string): string {
  const level = levelOf(spec);
  if (spec === "human") return t("player.human");
  return level === null ? spec : t("player.goren", { level: levelName(level) });
}

/** Players that are shown with this text in them, of those that have a word for themselves. */
export function specsCalled(text: string): string[] {
  const levels = hello.value?.levels ?? { min: 1, max: 0 };
  const specs = ["human", ...Array.from({ length: levels.max - levels.min + 1 }, (_, i) => `ab:level=${levels.min + i}`)];
  return specs.filter((spec) => playerName(spec).toLowerCase().includes(text.trim().toLowerCase()));
}

/** Fields for what a kind of player or learner can be told; only what differs from the default is kept. */
export function OptionFields(p: {
  readonly rows: readonly OptionRow[];
  readonly values: Options;
  readonly onChange: (values: Options) => void;
}) {
  const set = (row: OptionRow, value: string): void => {
    const { [row.name]: _, ...rest } = p.values;
    p.onChange(value === "" || value === (row.default ?? "") ? rest : { ...rest, [row.name]: value });
  };
  return (
    <div class="option-fields">
      {p.rows.map((row) => {
        const value = p.values[row.name] ?? row.default ?? "";
        return (
          <div key={row.name} class="option-row">
            <OptionField row={row} value={value} onChange={(v) => set(row, v)} />
            {row.help && <small>{tHelp(row.help)}</small>}
          </div>
        );
      })}
    </div>
  );
}

function OptionField(p: { readonly row: OptionRow; readonly value: string; readonly onChange: (value: string) => void }) {
  const { row } = p;
  if (row.type === "bool") {
    return <Check label={row.name} value={/^(true|yes|on|1)$/.test(p.value)} onChange={(on) => p.onChange(on ? "true" : "false")} />;
  }
  if (row.choices && row.choices.length > 0) {
    return (
      <Select label={row.name} value={p.value} choices={row.choices.map((c) => ({ value: c, text: c }))} onChange={p.onChange} />
    );
  }
  const numeric = (row.type === "int" || row.type === "float") && /^-?[0-9.]+$/.test(p.value);
  if (numeric) {
    return (
      <NumberField
        label={row.name}
        value={Number(p.value)}
        min={row.min ?? -1e9}
        max={row.max ?? 1e9}
        step={row.type === "int" ? 1 : "any"}
        onChange={(n) => p.onChange(String(n))}
      />
    );
  }
  return <TextField label={row.name} value={p.value} onChange={p.onChange} />;
}

export function PlayerPicker(p: {
  readonly label: string;
  readonly value: string;
  readonly people: boolean;
  readonly testid?: string;
  readonly onChange: (spec: string) => void;
}) {
  const server = hello.value;
  const level = levelOf(p.value);
  const { kind, options } = splitSpec(p.value);
  const chosen = p.value === "human" ? "human" : level !== null ? "level" : kind;
  const found = server?.players.find((k) => k.kind === kind);
  const choices = [
    ...(p.people ? [{ value: "human", text: t("player.person") }] : []),
    { value: "level", text: t("player.levels") },
    ...(server?.players ?? []).filter((k) => k.kind !== "human").map((k) => ({ value: k.kind, text: k.kind })),
  ];
  const choose = (value: string): void => {
    if (value === "human") p.onChange("human");
    else if (value === "level") p.onChange(`ab:level=${level ?? 3}`);
    else p.onChange(value);
  };
  return (
    <div class="player-picker" data-testid={p.testid}>
      <Select label={p.label} value={chosen} choices={choices} onChange={choose} />
      {level !== null && server && (
        <Slider
          label={t("player.level")}
          text={levelChoice(level)}
          value={level}
          min={server.levels.min}
          max={server.levels.max}
          onChange={(n) => p.onChange(`ab:level=${n}`)}
        />
      )}
      {chosen === kind && found && (
        <>
          <p class="about">{tSaid(found.about)}</p>
          {found.options.length > 0 && (
            <details>
              <summary>{t("player.options")}</summary>
              <OptionFields rows={found.options} values={options} onChange={(o) => p.onChange(joinSpec(kind, o))} />
            </details>
          )}
        </>
      )}
    </div>
  );
}

// SPDX-License-Identifier: MIT
// Learning: players that teach themselves, their curves, and the patterns they found.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { go, settle } from "../base/router";
import { t, tOr, tSaid } from "../i18n";
import { hello, linkState, listen, request } from "../net/link";
import type { LearnPoint, LearnRow, LearnState, OptionRow } from "../net/messages";
import { begin } from "../play/model";
import { Button, DeleteButton, Dialog, Empty, NumberField, Select, TextField } from "../ui/controls";
import { guarded } from "../ui/guarded";
import { Graph, type Curve } from "../ui/graph";
import type { Options } from "../base/spec";
import { OptionFields } from "../ui/players";
import { ruleName } from "../ui/rules";
import { Runs, type RunRow } from "../ui/runs";
import { Patterns } from "./patterns";

const runs = signal<readonly LearnRow[] | null>(null);
const watched = signal<LearnState | null>(null);

listen("learn", (e) => {
  const now = watched.value;
  if (!now || e.learn !== now.learn) return;
  const known = now.points.slice(0, e.from);
  if (e.from > now.points.length) {
    void watch(e.learn); // something was missed
    return;
  }
  watched.value = { ...e, from: 0, points: [...known, ...e.points] };
  if (now.state !== e.state) void refresh();
});

function refresh(): Promise<void> {
  return guarded(async () => {
    runs.value = (await request("learn.list", {})).runs;
  });
}

function watch(id: string): Promise<void> {
  return guarded(async () => {
    settle("learning", id);
    watched.value = await request("learn.watch", { learn: id });
  });
}

function act(what: "learn.stop" | "learn.resume" | "learn.delete", id: string): Promise<void> {
  return guarded(async () => {
    await request(what, { learn: id });
    if (what === "learn.delete") {
      watched.value = null;
      settle("learning");
    }
    await refresh();
  });
}

/** Values that suit a learner better than the usual ones. */
const FIRST: Readonly<Record<string, Options>> = { table: { size: "3", win: "3" }, patterns: { games: "300" } };
/** What everybody understands is in sight, the rest under "options". */
const PLAIN: readonly string[] = ["games", "rule", "size", "win"];

interface FieldsProps {
  readonly rows: readonly OptionRow[];
  readonly values: Options;
  readonly onChange: (values: Options) => void;
}

function PlainFields({ rows, values, onChange }: FieldsProps) {
  const value = (name: string): string => values[name] ?? rows.find((r) => r.name === name)?.default ?? "";
  const number = (name: string): number => Number(value(name).replace(/k$/, "000"));
  const set = (name: string) => (to: string | number) => onChange({ ...values, [name]: String(to) });
  return (
    <>
      <div class="row">
        <NumberField label={t("learn.wanted")} testid="learn-games" value={number("games")} min={1} max={100_000_000} onChange={set("games")} />
        <NumberField label={t("rules.win")} value={number("win")} min={3} max={10} onChange={set("win")} />
      </div>
      <div class="row">
        <Select label={t("rules.rule")} value={value("rule")} choices={(hello.value?.rules ?? []).map((r) => ({ value: r, text: ruleName(r) }))} onChange={set("rule")} />
        <TextField label={t("rules.size")} value={value("size")} placeholder="15, 20x15" onChange={set("size")} />
      </div>
    </>
  );
}

function learnerName(kind: string): string {
  return tOr(`learner.${kind}`, kind);
}

function StartDialog({ onClose }: { readonly onClose: () => void }) {
  const kinds = hello.value?.learners ?? [];
  const [kind, setKind] = useState(kinds[0]?.kind ?? "");
  const [options, setOptions] = useState<Options>(FIRST[kind] ?? {});
  const [name, setName] = useState("");
  const chosen = kinds.find((k) => k.kind === kind);
  const start = (): Promise<void> =>
    guarded(async () => {
      const reply = await request("learn.start", { kind, options, ...(name ? { name } : {}) });
      onClose();
      await refresh();
      await watch(reply.learn);
    });
  return (
    <Dialog title={t("learn.start")} open wide onClose={onClose}>
      <Select
        label={t("learn.kind")}
        testid="learner"
        value={kind}
        choices={kinds.map((k) => ({ value: k.kind, text: learnerName(k.kind) }))}
        onChange={(k) => {
          setKind(k);
          setOptions(FIRST[k] ?? {});
        }}
      />
      <p class="about">{tOr(`learner.${kind}.about`, chosen?.about ?? "")}</p>
      <TextField label={t("library.name")} value={name} onChange={setName} />
      {chosen && (
        <>
          <PlainFields rows={chosen.options} values={options} onChange={setOptions} />
          <details>
            <summary>{t("player.options")}</summary>
            <OptionFields rows={chosen.options.filter((o) => !PLAIN.includes(o.name))} values={options} onChange={setOptions} />
          </details>
        </>
      )}
      <footer>
        <Button kind="primary" testid="learn-go" disabled={!chosen} onClick={start}>
          {t("learn.begin")}
        </Button>
      </footer>
    </Dialog>
  );
}

const INKS = ["#3f8f79", "#3b76a8", "#b4541a", "#8455a3", "#8d7a1c"];

function curvesOf(points: readonly LearnPoint[]): { scores: string[]; loss: boolean } {
  const names = new Set<string>();
  for (const p of points) for (const n of Object.keys(p.score ?? {})) names.add(n);
  return { scores: [...names].sort(), loss: points.some((p) => p.loss != null) };
}

function gamesText(n: number): string {
  return n >= 10_000 ? `${Math.round(n / 1000)}k` : String(n);
}

function LearningCurve({ points }: { readonly points: readonly LearnPoint[] }) {
  const { scores, loss } = curvesOf(points);
  const x = points.map((p) => p.games);
  const curves: Curve[] = scores.map((name, i) => ({ label: t("learn.against", { name }), colour: INKS[i % INKS.length]!, points: points.length < 40 }));
  return (
    <>
      {scores.length > 0 && (
        <Graph
          label={t("learn.scores")}
          testid="curve"
          data={[x, ...scores.map((name) => points.map((p) => (p.score?.[name] == null ? null : p.score[name] * 100)))]}
          curves={curves}
          height={280}
          range={[0, 100]}
          text={(v) => `${v}%`}
          xText={gamesText}
          legend
        />
      )}
      {loss && (
        <Graph
          label={t("learn.loss")}
          data={[x, points.map((p) => p.loss ?? null)]}
          curves={[{ label: t("learn.loss"), colour: "#8d7a1c" }]}
          height={150}
          text={(v) => v.toPrecision(2)}
          xText={gamesText}
          legend
        />
      )}
    </>
  );
}

function Watched({ run }: { readonly run: LearnState }) {
  const row = runs.value?.find((r) => r.learn === run.learn);
  const title = row?.name || learnerName(run.kind);
  const { player, rules } = run;
  const planned = run.games ?? row?.games ?? 0;
  // A table of a tiny board may be too small for games here.
  const playable = player !== null && rules && Math.min(rules.width, rules.height) >= (hello.value?.sizes.min ?? 0);
  const playIt = (): Promise<void> =>
    guarded(async () => {
      if (!playable) return;
      await begin({ rules, sides: [{ player: "human" }, { player, name: title }] });
      go("play");
    });
  return (
    <>
      <section class="card">
        <div class="row between wrap">
          <h2>
            {title} {row?.name && row.name !== run.kind && <small>{learnerName(run.kind)}</small>}
          </h2>
          <div class="row wrap">
            {playable && (
              <Button icon="play" testid="play-learnt" onClick={playIt}>
                {t("learn.play")}
              </Button>
            )}
            {run.state === "running" && (
              <Button icon="stop" testid="learn-stop" onClick={() => act("learn.stop", run.learn)}>
                {t("analyse.stop")}
              </Button>
            )}
            {(run.state === "stopped" || run.state === "failed") && (
              <Button icon="go" testid="learn-resume" onClick={() => act("learn.resume", run.learn)}>
                {t("play.goOn")}
              </Button>
            )}
            {run.state !== "running" && (
              <DeleteButton testid="learn-delete" onDelete={() => act("learn.delete", run.learn)} />
            )}
          </div>
        </div>
        <div class="row">
          {planned > 0 && <progress max={planned} value={gamesOf(run)} aria-label={t("learn.progress")} />}
          <span class="nowrap" data-testid="learn-state" data-state={run.state} data-points={run.points.length}>
            {progressText(gamesOf(run), planned)} · {tOr(`state.${run.state}`, run.state)}
          </span>
        </div>
        {run.error && <p class="bad">{tSaid(run.error)}</p>}
        {run.points.length > 0 ? <LearningCurve points={run.points} /> : <Empty>{t("learn.waiting")}</Empty>}
      </section>
      {run.kind === "patterns" && <Patterns learn={run.learn} games={gamesOf(run)} />}
    </>
  );
}

function gamesOf(run: LearnState): number {
  return run.done ?? run.points[run.points.length - 1]?.games ?? 0;
}

/** How far it is on the way to what was planned; a plan of none is without end. */
function progressText(done: number, planned: number): string {
  return planned > 0 ? t("learn.gamesOf", { n: done, m: planned }) : t("learn.games", { n: done });
}

function rows(): readonly RunRow[] | null {
  const now = watched.value;
  if (!runs.value) return null;
  return runs.value.map((r) => ({
    id: r.learn,
    title: r.name || learnerName(r.kind),
    state: r.state,
    progress: progressText(r.learn === now?.learn && now.state === "running" ? gamesOf(now) : r.done, r.games),
    began: r.began,
  }));
}

export function Learning() {
  return (
    <Runs
      view="learning"
      noun="learn"
      rows={rows}
      watched={() => watched.value?.learn}
      refresh={refresh}
      watch={watch}
      disabled={(hello.value?.learners.length ?? 0) === 0}
      dialog={(close) => <StartDialog onClose={close} />}
    >
      {watched.value && <Watched run={watched.value} />}
      {watched.value?.kind !== "patterns" && linkState.value === "ready" && <Patterns learn={null} games={0} />}
    </Runs>
  );
}

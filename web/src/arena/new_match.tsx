// SPDX-License-Identifier: MIT
// The dialog in which a match is planned: who plays, how long they think, how games begin, and when
// enough was seen.

import { useRef, useState } from "preact/hooks";
import { t, tOr } from "../i18n";
import { hello, request } from "../net/link";
import type { ArenaStart, Rules } from "../net/messages";
import { Button, Check, Dialog, NumberField, Segments, Select, TextField } from "../ui/controls";
import { guarded } from "../ui/guarded";
import { PlayerPicker } from "../ui/players";
import { RulesPicker, USUAL } from "../ui/rules";

type Limit = "turn" | "match" | "nodes";
type Begins = "random" | "file" | "empty";

interface Entry {
  readonly name: string;
  readonly player: string;
}

interface Wish {
  readonly name: string;
  readonly rules: Rules;
  readonly phase: string;
  readonly games: number;
  readonly concurrency: number;
  readonly gauntlet: boolean;
  readonly limit: Limit;
  readonly turn: number;
  readonly minutes: number;
  readonly increment: number;
  readonly nodes: number;
  readonly begins: Begins;
  readonly random: number;
  readonly openings: { readonly name: string; readonly text: string } | null;
  readonly sprt: boolean;
  readonly elo0: number;
  readonly elo1: number;
}

const FIRST: Wish = {
  name: "",
  rules: USUAL,
  phase: "normal",
  games: 20,
  concurrency: 1,
  gauntlet: false,
  limit: "turn",
  turn: 0.2,
  minutes: 2,
  increment: 0,
  nodes: 20_000,
  begins: "random",
  random: 4,
  openings: null,
  sprt: false,
  elo0: 0,
  elo1: 30,
};

/** Two entrants of one kind need names of their own. */
function named(players: readonly Entry[]): Entry[] {
  const plain = players.map((p) => p.name || p.player);
  return players.map((p, i) => {
    const twin = plain.indexOf(plain[i]!) < i;
    return { name: twin ? `${plain[i]} #${i + 1}` : plain[i]!, player: p.player };
  });
}

function planOf(w: Wish, players: readonly Entry[]): ArenaStart {
  const ms = (seconds: number): number => Math.round(seconds * 1000);
  return {
    players: named(players),
    rules: w.rules,
    phase: w.phase,
    games: w.games,
    concurrency: w.concurrency,
    gauntlet: w.gauntlet,
    ...(w.name ? { name: w.name } : {}),
    ...(w.begins === "random" ? { random: w.random } : {}),
    ...(w.begins === "file" && w.openings ? { openings: w.openings.text } : {}),
    ...(w.limit === "nodes"
      ? { nodes: w.nodes }
      : { clock: w.limit === "turn" ? { match_ms: 0, turn_ms: ms(w.turn), increment_ms: 0 } : { match_ms: ms(w.minutes * 60), turn_ms: 0, increment_ms: ms(w.increment) } }),
    ...(w.sprt ? { sprt: { elo0: w.elo0, elo1: w.elo1 } } : {}),
  };
}

interface PartProps {
  readonly w: Wish;
  readonly set: (part: Partial<Wish>) => void;
}

function Players({ players, onChange }: { readonly players: readonly Entry[]; readonly onChange: (players: readonly Entry[]) => void }) {
  return (
    <>
      <h3>{t("arena.players")}</h3>
      {players.map((p, i) => (
        <div key={i} class="entrant">
          <PlayerPicker label={t("arena.player", { n: i + 1 })} value={p.player} people={false} onChange={(player) => onChange(players.map((q, k) => (k === i ? { ...q, player } : q)))} />
          {players.length > 2 && <Button icon="trash" kind="quiet" label={t("library.delete")} onClick={() => onChange(players.filter((_, k) => k !== i))} />}
        </div>
      ))}
      <Button icon="plus" testid="add-player" onClick={() => onChange([...players, { name: "", player: hello.value?.players.find((k) => k.kind === "random")?.kind ?? "ab:level=1" }])}>
        {t("arena.add")}
      </Button>
    </>
  );
}

function TimeLimit({ w, set }: PartProps) {
  const longest = (hello.value?.limits.think_ms ?? 60_000) / 1000;
  return (
    <>
      <Segments<Limit>
        label={t("arena.limit")}
        testid="limit"
        value={w.limit}
        choices={(["turn", "match", "nodes"] as const).map((value) => ({ value, text: t(`arena.limit.${value}`) }))}
        onChange={(limit) => set({ limit })}
      />
      {w.limit === "turn" && <NumberField label={t("arena.turn")} testid="turn" value={w.turn} min={0.01} max={longest} step={0.01} onChange={(turn) => set({ turn })} />}
      {w.limit === "match" && (
        <div class="row">
          <NumberField label={t("arena.minutes")} testid="minutes" value={w.minutes} min={0.1} max={600} step={0.1} onChange={(minutes) => set({ minutes })} />
          <NumberField label={t("arena.increment")} value={w.increment} min={0} max={longest} step={0.1} onChange={(increment) => set({ increment })} />
        </div>
      )}
      {w.limit === "nodes" && <NumberField label={t("arena.nodes")} testid="nodes" value={w.nodes} min={1} max={1e9} onChange={(nodes) => set({ nodes })} />}
    </>
  );
}

function Beginnings({ w, set }: PartProps) {
  const file = useRef<HTMLInputElement>(null);
  const read = async (chosen: File | undefined): Promise<void> => {
    if (chosen) set({ openings: { name: chosen.name, text: await chosen.text() } });
  };
  const lines = w.openings?.text.split("\n").filter((line) => line.trim() !== "").length ?? 0;
  return (
    <>
      <Segments<Begins>
        label={t("arena.begins")}
        testid="begins"
        value={w.begins}
        choices={(["random", "file", "empty"] as const).map((value) => ({ value, text: t(`arena.begins.${value}`) }))}
        onChange={(begins) => set({ begins })}
      />
      {w.begins === "random" && <NumberField label={t("arena.random")} testid="random" value={w.random} min={0} max={12} onChange={(random) => set({ random })} />}
      {w.begins === "file" && (
        <>
          <input ref={file} type="file" class="unseen" tabIndex={-1} aria-label={t("arena.file")} data-testid="openings-file" accept=".pos,.txt" onChange={(e) => void read(e.currentTarget.files?.[0])} />
          <Button icon="upload" onClick={() => file.current?.click()}>
            {w.openings ? t("arena.fileHas", { name: w.openings.name, n: lines }) : t("arena.file")}
          </Button>
          <p class="about">{t("arena.fileAbout")}</p>
        </>
      )}
    </>
  );
}

function Enough({ w, set, pairs }: PartProps & { readonly pairs: boolean }) {
  const slots = hello.value?.limits.slots ?? 1;
  return (
    <>
      <div class="row">
        <NumberField label={t("arena.games")} testid="games" value={w.games} min={2} max={100_000} step={2} onChange={(games) => set({ games })} />
        {slots > 1 && <NumberField label={t("arena.concurrency")} value={w.concurrency} min={1} max={slots} onChange={(concurrency) => set({ concurrency })} />}
      </div>
      {pairs ? (
        <Check label={t("arena.gauntlet")} value={w.gauntlet} onChange={(gauntlet) => set({ gauntlet })} />
      ) : (
        <Check label={t("arena.sprt")} testid="sprt" value={w.sprt} onChange={(sprt) => set({ sprt, games: sprt ? Math.max(w.games, 1000) : w.games })} />
      )}
      {!pairs && w.sprt && (
        <div class="row">
          <NumberField label={t("arena.elo0")} testid="elo0" value={w.elo0} min={-1000} max={1000} onChange={(elo0) => set({ elo0 })} />
          <NumberField label={t("arena.elo1")} testid="elo1" value={w.elo1} min={-1000} max={1000} onChange={(elo1) => set({ elo1 })} />
        </div>
      )}
    </>
  );
}

export function NewMatch({ onClose, onStarted }: { readonly onClose: () => void; readonly onStarted: (arena: string) => Promise<void> }) {
  const [players, setPlayers] = useState<readonly Entry[]>([
    { name: "", player: "ab:level=5" },
    { name: "", player: "ab:level=3" },
  ]);
  const [w, setWish] = useState<Wish>(FIRST);
  const set = (part: Partial<Wish>): void => setWish({ ...w, ...part });
  const start = (): Promise<void> =>
    guarded(async () => {
      const reply = await request("arena.start", planOf(players.length > 2 ? { ...w, sprt: false } : { ...w, gauntlet: false }, players));
      onClose();
      await onStarted(reply.arena);
    });
  return (
    <Dialog title={t("arena.start")} open wide onClose={onClose}>
      <div class="columns">
        <section>
          <Players players={players} onChange={setPlayers} />
          <h3>{t("new.what")}</h3>
          <RulesPicker value={w.rules} onChange={(rules) => set({ rules })} />
        </section>
        <section>
          <TextField label={t("library.name")} value={w.name} onChange={(name) => set({ name })} />
          <Enough w={w} set={set} pairs={players.length > 2} />
          <TimeLimit w={w} set={set} />
          <Beginnings w={w} set={set} />
          <Select label={t("new.opening")} testid="phase" value={w.phase} choices={(hello.value?.phases ?? ["normal"]).map((p) => ({ value: p, text: tOr(`phase.${p}`, p) }))} onChange={(phase) => set({ phase })} />
        </section>
      </div>
      <footer>
        <Button kind="primary" testid="arena-go" disabled={w.begins === "file" && !w.openings} onClick={start}>
          {t("arena.begin")}
        </Button>
      </footer>
    </Dialog>
  );
}

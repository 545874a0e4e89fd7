// SPDX-License-Identifier: MIT
// The arena: matches between players, with standings, error bars and the boards in play.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { dateText, percent } from "../base/format";
import { route, settle } from "../base/router";
import { MiniBoard } from "../board/mini";
import { language, t, tOr } from "../i18n";
import { hello, linkState, listen, request } from "../net/link";
import type { ArenaRow, ArenaState, Rules, Standing } from "../net/messages";
import { sceneOf, stonesOf } from "../play/scene";
import { Button, Check, Dialog, Empty, NumberField, TextField } from "../ui/controls";
import { guarded } from "../ui/guarded";
import { useKeys } from "../ui/keys";
import { playerName, PlayerPicker } from "../ui/players";
import { RulesPicker, rulesText, USUAL } from "../ui/rules";

const arenas = signal<readonly ArenaRow[] | null>(null);
const watched = signal<ArenaState | null>(null);
const finished = signal<ArenaState["finished"]>([]);

listen("arena", (e) => {
  if (e.arena === watched.value?.arena) take(e);
});

function take(e: ArenaState): void {
  const known = new Set(finished.value.map((f) => f.job));
  finished.value = [...e.finished.filter((f) => !known.has(f.job)), ...finished.value].slice(0, 60);
  const before = watched.value?.state;
  watched.value = e;
  if (before === "running" && e.state !== "running") void refresh();
}

function refresh(): Promise<void> {
  return guarded(async () => {
    arenas.value = (await request("arena.list", {})).arenas;
  });
}

function watch(id: string): Promise<void> {
  return guarded(async () => {
    settle("arena", id);
    finished.value = [];
    watched.value = null;
    take(await request("arena.watch", { arena: id }));
  });
}

function act(what: "arena.stop" | "arena.resume" | "arena.delete", id: string): Promise<void> {
  return guarded(async () => {
    await request(what, { arena: id });
    if (what === "arena.delete") {
      watched.value = null;
      settle("arena");
    } else if (what === "arena.resume") {
      await watch(id);
    }
    await refresh();
  });
}

interface Entry {
  readonly name: string;
  readonly player: string;
}

function StartDialog({ onClose }: { readonly onClose: () => void }) {
  const [players, setPlayers] = useState<readonly Entry[]>([
    { name: "", player: "ab:level=5" },
    { name: "", player: "ab:level=3" },
  ]);
  const [rules, setRules] = useState<Rules>(USUAL);
  const [games, setGames] = useState(20);
  const [random, setRandom] = useState(4);
  const [turn, setTurn] = useState(0.2);
  const [gauntlet, setGauntlet] = useState(false);
  const [name, setName] = useState("");
  const setPlayer = (i: number, part: Partial<Entry>): void => setPlayers(players.map((p, k) => (k === i ? { ...p, ...part } : p)));
  const start = (): Promise<void> =>
    guarded(async () => {
      // Two entrants of one kind need names of their own.
      const plain = players.map((p) => p.name || p.player);
      const named = players.map((p, i) => {
        const twin = plain.indexOf(plain[i]!) < i;
        return { name: twin ? `${plain[i]} #${i + 1}` : plain[i]!, player: p.player };
      });
      const reply = await request("arena.start", {
        players: named,
        rules,
        games,
        random,
        gauntlet,
        clock: { match_ms: 0, turn_ms: Math.round(turn * 1000), increment_ms: 0 },
        ...(name ? { name } : {}),
      });
      onClose();
      await refresh();
      await watch(reply.arena);
    });
  return (
    <Dialog title={t("arena.start")} open wide onClose={onClose}>
      <div class="columns">
        <section>
          <h3>{t("arena.players")}</h3>
          {players.map((p, i) => (
            <div key={i} class="entrant">
              <PlayerPicker label={t("arena.player", { n: i + 1 })} value={p.player} people={false} onChange={(player) => setPlayer(i, { player })} />
              {players.length > 2 && <Button icon="trash" kind="quiet" label={t("library.delete")} onClick={() => setPlayers(players.filter((_, k) => k !== i))} />}
            </div>
          ))}
          <Button icon="plus" testid="add-player" onClick={() => setPlayers([...players, { name: "", player: hello.value?.players.find((k) => k.kind === "random")?.kind ?? "ab:level=1" }])}>
            {t("arena.add")}
          </Button>
        </section>
        <section>
          <TextField label={t("library.name")} value={name} onChange={setName} />
          <div class="row">
            <NumberField label={t("arena.games")} testid="games" value={games} min={2} max={100_000} step={2} onChange={setGames} />
            <NumberField label={t("arena.turn")} testid="turn" value={turn} min={0.01} max={60} step={0.01} onChange={setTurn} />
          </div>
          <NumberField label={t("arena.random")} value={random} min={0} max={12} onChange={setRandom} />
          <Check label={t("arena.gauntlet")} value={gauntlet} onChange={setGauntlet} />
          <RulesPicker value={rules} onChange={setRules} />
        </section>
      </div>
      <div class="row end">
        <Button kind="primary" testid="arena-go" onClick={() => void start()}>
          {t("arena.begin")}
        </Button>
      </div>
    </Dialog>
  );
}

/** Ratings as dots with their error bars, all on one scale. */
function Standings({ rows }: { readonly rows: readonly Standing[] }) {
  const low = Math.min(...rows.map((r) => r.elo - r.minus));
  const high = Math.max(...rows.map((r) => r.elo + r.plus));
  const place = (elo: number): number => 4 + (92 * (elo - low)) / Math.max(1, high - low);
  return (
    <table class="standings" data-testid="standings">
      <thead>
        <tr>
          <th>{t("arena.rank")}</th>
          <th>{t("arena.name")}</th>
          <th class="figure">Elo</th>
          <th class="bar-column">{t("arena.error")}</th>
          <th class="figure">{t("arena.score")}</th>
          <th class="figure">{t("analyse.games")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((r, i) => (
          <tr key={r.player}>
            <td>{i + 1}</td>
            <td class="name">{playerName(r.player)}</td>
            <td class="figure">
              {Math.round(r.elo)}
              <small>
                {" "}
                +{Math.round(r.plus)} −{Math.round(r.minus)}
              </small>
            </td>
            <td class="bar-column">
              <svg class="error-bar" viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label={`${Math.round(r.elo - r.minus)} – ${Math.round(r.elo + r.plus)}`}>
                <path d={`M${place(r.elo - r.minus)} 6H${place(r.elo + r.plus)}`} />
                <rect x={place(r.elo) - 1} y="1" width="2" height="10" />
              </svg>
            </td>
            <td class="figure">{percent(r.score)}</td>
            <td class="figure">{r.games}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Watched({ a }: { readonly a: ArenaState }) {
  return (
    <>
      <section class="card">
        <div class="row between wrap">
          <h2>
            {a.name && a.name !== a.arena ? a.name : a.players.map(playerName).join(" · ")} <small>{rulesText(a.rules)}</small>
          </h2>
          <div class="row">
            {a.state === "running" && (
              <Button icon="stop" testid="arena-stop" onClick={() => void act("arena.stop", a.arena)}>
                {t("analyse.stop")}
              </Button>
            )}
            {a.state === "stopped" && (
              <Button icon="go" onClick={() => void act("arena.resume", a.arena)}>
                {t("play.goOn")}
              </Button>
            )}
            {a.state !== "running" && (
              <Button icon="trash" kind="danger" onClick={() => void act("arena.delete", a.arena)}>
                {t("library.delete")}
              </Button>
            )}
          </div>
        </div>
        <div class="row">
          <progress max={a.games} value={a.done} aria-label={t("arena.progress")} />
          <span class="nowrap" data-testid="arena-done" data-state={a.state}>
            {a.done} / {a.games} · {tOr(`state.${a.state}`, a.state)}
          </span>
        </div>
        {a.error && <p class="bad">{a.error}</p>}
        {a.standings.length > 0 ? <Standings rows={a.standings} /> : <Empty>{t("arena.first")}</Empty>}
        {a.pairs.length > 0 && (
          <table class="pairs">
            <thead>
              <tr>
                <th>{t("arena.pair")}</th>
                <th class="figure">{t("arena.wdl")}</th>
                <th class="figure">Elo</th>
                <th class="figure">{t("arena.los")}</th>
              </tr>
            </thead>
            <tbody>
              {a.pairs.map((p) => (
                <tr key={p.players.join()}>
                  <td>
                    {playerName(p.players[0])} – {playerName(p.players[1])}
                  </td>
                  <td class="figure">
                    {p.wins} / {p.draws} / {p.losses}
                  </td>
                  <td class="figure">{p.elo === null ? "–" : `${Math.round(p.elo)}${p.error === null ? "" : ` ± ${Math.round(p.error)}`}`}</td>
                  <td class="figure">{p.los === null ? "–" : percent(p.los)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      {a.boards.length > 0 && (
        <section class="card">
          <h2>{t("arena.boards")}</h2>
          <ul class="boards" data-testid="arena-boards">
            {a.boards.map((b) => (
              <li key={b.job}>
                <MiniBoard scene={{ ...sceneOf(a.rules, stonesOf(b.moves)), coordinates: false }} size={210} label={`${b.black} – ${b.white}`} />
                <small>
                  <span class="dot b" /> {playerName(b.black)} <span class="dot w" /> {playerName(b.white)}
                </small>
              </li>
            ))}
          </ul>
        </section>
      )}
      {finished.value.length > 0 && (
        <section class="card">
          <h2>{t("arena.finished")}</h2>
          <ul class="boards small">
            {finished.value.slice(0, 12).map((f) => (
              <li key={f.job}>
                <a href={`#/analyse/at/${a.rules.rule}-${a.rules.width}x${a.rules.height}-${a.rules.win}/-/b/${f.moves}/${f.plies}`} aria-label={`${f.black} – ${f.white}`}>
                  <MiniBoard scene={{ ...sceneOf(a.rules, stonesOf(f.moves)), coordinates: false }} size={120} label={`${f.black} – ${f.white}, ${f.result}`} />
                </a>
                <small>{f.result === "b" ? playerName(f.black) : f.result === "w" ? playerName(f.white) : t("over.draw")}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

export function Arena() {
  const [dialog, setDialog] = useState(false);
  const args = route.value.view === "arena" ? route.value.args : [];
  const wish = args[0];
  useEffect(() => {
    if (linkState.value !== "ready") return;
    void refresh().then(() => {
      const id = wish ?? arenas.value?.find((a) => a.state === "running")?.arena ?? arenas.value?.[0]?.arena;
      if (id) void watch(id);
    });
  }, [linkState.value]);
  useEffect(() => {
    if (wish && linkState.value === "ready" && watched.value && watched.value.arena !== wish) void watch(wish);
  }, [wish]);
  useEffect(() => () => void request("arena.unwatch", {}).catch(() => undefined), []);
  useKeys([{ key: "n", what: t("arena.start"), act: () => setDialog(true) }]);
  return (
    <div class="view two-columns">
      <section class="card side">
        <Button icon="plus" kind="primary" testid="arena-new" onClick={() => setDialog(true)}>
          {t("arena.start")}
        </Button>
        <p class="about">{t("arena.about")}</p>
        <ul class="runs">
          {(arenas.value ?? []).map((a) => (
            <li key={a.arena}>
              <button type="button" class={a.arena === watched.value?.arena ? "on" : ""} onClick={() => void watch(a.arena)}>
                <strong>{a.name && a.name !== a.arena ? a.name : a.players.map(playerName).join(" · ")}</strong>
                <small>
                  {tOr(`state.${a.state}`, a.state)} · {a.done} / {a.games} · {dateText(a.began, language.value)}
                </small>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <div class="stack">{watched.value ? <Watched a={watched.value} /> : <Empty>{t("arena.none")}</Empty>}</div>
      {dialog && <StartDialog onClose={() => setDialog(false)} />}
    </div>
  );
}

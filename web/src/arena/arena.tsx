// SPDX-License-Identifier: MIT
// The arena: matches between players, with standings, error bars and the boards in play.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { percent, saveFile } from "../base/format";
import { exportFormat } from "../base/prefs";
import { settle } from "../base/router";
import { MiniBoard } from "../board/mini";
import { t, tOr, tSaid } from "../i18n";
import { listen, request } from "../net/link";
import type { ArenaGame, ArenaRow, ArenaState, Pair, Requests, Standing } from "../net/messages";
import { sceneOf, stonesOf } from "../play/scene";
import { Button, DeleteButton, Empty } from "../ui/controls";
import { FormatSelect } from "../ui/format_select";
import { guarded } from "../ui/guarded";
import { playerName } from "../ui/players";
import { rulesText } from "../ui/rules";
import { Runs, type RunRow } from "../ui/runs";
import { LargeBoard } from "./large_board";
import { NewMatch } from "./new_match";

const arenas = signal<readonly ArenaRow[] | null>(null);
const watched = signal<ArenaState | null>(null);
const finished = signal<readonly ArenaGame[]>([]);
/** The game that is shown large. */
const large = signal<number | null>(null);
const FINISHED_SHOWN = 12;

listen("arena", (e) => {
  if (e.arena === watched.value?.arena) take(e);
});

function take(e: ArenaState): void {
  const known = new Set(finished.value.map((f) => f.job));
  finished.value = [...e.finished.filter((f) => !known.has(f.job)).reverse(), ...finished.value].slice(0, 60);
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
    if (watched.value?.arena !== id) {
      finished.value = [];
      watched.value = null;
      large.value = null;
    }
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

/** All that are over; a long match comes in parts, a file each. */
function saveGames(a: ArenaState): Promise<void> {
  return guarded(async () => {
    const format = exportFormat.value;
    for (let part = 1, from: number | null = 0; from !== null; part++) {
      const file: Requests["arena.export"][1] = await request("arena.export", { arena: a.arena, format, from });
      from = file.next;
      const several = part > 1 || from !== null;
      saveFile(`${titleOf(a)}${several ? ` ${part}` : ""}.${format}`, new Blob([file.text ?? ""], { type: file.type }));
    }
  });
}

async function started(id: string): Promise<void> {
  await refresh();
  await watch(id);
}

/** Ratings as dots with their error bars, all on one scale. */
function Standings({ rows }: { readonly rows: readonly Standing[] }) {
  const low = Math.min(...rows.map((r) => r.elo - r.minus));
  const high = Math.max(...rows.map((r) => r.elo + r.plus));
  const place = (elo: number): number => 4 + (92 * (elo - low)) / Math.max(1, high - low);
  return (
    <div class="table-room">
      <table class="standings" data-testid="standings">
        <thead>
          <tr>
            <th>{t("arena.rank")}</th>
            <th>{t("arena.name")}</th>
            <th class="figure">Elo</th>
            <th class="bar-column">{t("arena.error")}</th>
            <th class="figure">{t("arena.score")}</th>
            <th class="figure wide-only">{t("analyse.games")}</th>
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
              <td class="figure wide-only">{r.games}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function signed(n: number): string {
  return `${n < 0 ? "−" : ""}${Math.abs(Math.round(n))}`;
}

/** Ends whose distances from the middle differ by more than this are both named. */
const LOPSIDED = 1.3;

/** "60 ± 90", or "301 (150 … 834)" where the error is far larger to one side. */
function eloText(p: Pair): string {
  if (p.elo === null) return "–";
  if (p.error === null) return signed(p.elo);
  if (p.low !== undefined && p.high !== undefined) {
    const [below, above] = [p.elo - p.low, p.high - p.elo];
    if (Math.max(below, above) > LOPSIDED * Math.min(below, above)) return `${signed(p.elo)} (${signed(p.low)} … ${signed(p.high)})`;
  }
  return `${signed(p.elo)} ± ${Math.round(p.error)}`;
}

/** No number of games makes it certain. */
function certainty(los: number): string {
  return los > 0.999 ? "> 99.9%" : los < 0.001 ? "< 0.1%" : percent(los);
}

/** Who did how well against whom; with an SPRT how near its decision is. */
function Pairs({ pairs }: { readonly pairs: readonly Pair[] }) {
  const tests = pairs.some((p) => p.llr !== undefined);
  return (
    <div class="table-room">
      <table class="pairs" data-testid="pairs">
        <thead>
          <tr>
            <th>{t("arena.pair")}</th>
            <th class="figure">{t("arena.wdl")}</th>
            <th class="figure">Elo</th>
            <th class="figure wide-only">{t("arena.los")}</th>
            {tests && <th class="figure">SPRT</th>}
          </tr>
        </thead>
        <tbody>
          {pairs.map((p) => (
            <tr key={p.players.join()}>
              <td>
                {playerName(p.players[0])} – {playerName(p.players[1])}
              </td>
              <td class="figure">
                {p.wins} / {p.draws} / {p.losses}
              </td>
              <td class="figure">{eloText(p)}</td>
              <td class="figure wide-only">{p.los === null ? "–" : certainty(p.los)}</td>
              {p.llr !== undefined && p.bounds && (
                <td class="figure" data-testid="sprt-state">
                  {tOr(`arena.verdict.${p.verdict}`, p.verdict ?? "")}{" "}
                  <small>
                    LLR {p.llr.toFixed(2)} <span class="wide-only">({p.bounds.map((b) => b.toFixed(2)).join(" … ")})</span>
                  </small>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Both names with their stones, the winner's strong. */
function Names({ g }: { readonly g: ArenaGame }) {
  return (
    <small>
      <span class="dot b" /> <span class={g.result === "b" ? "winner" : ""}>{playerName(g.black)}</span>
      <span class="dot w" /> <span class={g.result === "w" ? "winner" : ""}>{playerName(g.white)}</span>
    </small>
  );
}

interface GamesProps {
  readonly a: ArenaState;
  readonly games: readonly ArenaGame[];
  readonly size: number;
}

/** Small boards; a press shows one large. */
function Games({ a, games, size }: GamesProps) {
  return (
    <>
      {games.map((g) => (
        <li key={g.job}>
          <button type="button" title={t("arena.enlarge")} data-job={g.job} onClick={() => (large.value = g.job)}>
            <MiniBoard scene={{ ...sceneOf(a.rules, stonesOf(g.moves)), coordinates: false }} size={size} label={[g.black, g.white].map(playerName).join(" – ")} />
          </button>
          <Names g={g} />
        </li>
      ))}
    </>
  );
}

/** The focus goes to the board that was looked at last, wherever that is now. */
function leaveLarge(): void {
  const job = large.value;
  large.value = null;
  (document.querySelector<HTMLElement>(`.boards [data-job="${job}"]`) ?? document.querySelector<HTMLElement>(".boards button"))?.focus();
}

function titleOf(a: ArenaRow | ArenaState): string {
  return a.name && a.name !== a.arena ? a.name : a.players.map(playerName).join(" · ");
}

function Watched({ a }: { readonly a: ArenaState }) {
  const over = finished.value.slice(0, FINISHED_SHOWN);
  return (
    <>
      <section class="card">
        <div class="row between wrap">
          <h2>
            {titleOf(a)} <small>{rulesText(a.rules)}</small>
          </h2>
          <div class="row">
            {a.state === "running" && (
              <Button icon="stop" testid="arena-stop" onClick={() => act("arena.stop", a.arena)}>
                {t("analyse.stop")}
              </Button>
            )}
            {(a.state === "stopped" || a.state === "failed") && (
              <Button icon="go" onClick={() => act("arena.resume", a.arena)}>
                {t("play.goOn")}
              </Button>
            )}
            {a.state !== "running" && (
              <DeleteButton testid="arena-delete" onDelete={() => act("arena.delete", a.arena)} />
            )}
          </div>
        </div>
        <div class="row">
          <progress max={a.games} value={a.done} aria-label={t("arena.progress")} />
          <span class="nowrap" data-testid="arena-done" data-state={a.state}>
            {a.done} / {a.games} · {tOr(`state.${a.state}`, a.state)}
          </span>
        </div>
        {a.error && <p class="bad">{tSaid(a.error)}</p>}
        {a.standings.length > 0 && <Standings rows={a.standings} />}
        {a.standings.length === 0 && a.state === "running" && <Empty>{t("arena.first")}</Empty>}
        {a.done > 0 && <Pairs pairs={a.pairs} />}
        {a.done > 0 && (
          <div class="row wrap">
            <FormatSelect />
            <Button icon="download" testid="arena-save" onClick={() => saveGames(a)}>
              {t("arena.save")}
            </Button>
          </div>
        )}
      </section>
      {a.boards.length > 0 && (
        <section class="card">
          <h2>{t("arena.boards")}</h2>
          <ul class="boards" data-testid="arena-boards">
            <Games a={a} games={a.boards} size={210} />
          </ul>
        </section>
      )}
      {over.length > 0 && (
        <section class="card">
          <h2>{t("arena.finished")}</h2>
          <ul class="boards small" data-testid="arena-finished">
            <Games a={a} games={over} size={120} />
          </ul>
        </section>
      )}
      {large.value !== null && <LargeBoard rules={a.rules} job={large.value} games={[...a.boards, ...over]} onGo={(job) => (large.value = job)} onClose={leaveLarge} />}
    </>
  );
}

function rows(): readonly RunRow[] | null {
  const now = watched.value;
  if (!arenas.value) return null;
  return arenas.value.map((a) => ({
    id: a.arena,
    title: titleOf(a),
    state: a.state,
    progress: `${a.arena === now?.arena ? now.done : a.done} / ${a.games}`,
    began: a.began,
  }));
}

export function Arena() {
  useEffect(() => () => void (large.value = null), []);
  return (
    <Runs
      view="arena"
      noun="arena"
      rows={rows}
      watched={() => watched.value?.arena}
      refresh={refresh}
      watch={watch}
      dialog={(close) => <NewMatch onClose={close} onStarted={started} />}
    >
      {watched.value && <Watched a={watched.value} />}
    </Runs>
  );
}

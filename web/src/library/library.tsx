// SPDX-License-Identifier: MIT
// The library: every game that was played or brought in, found by words or by position, taken out in
// any format.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { dateText, saveFile } from "../base/format";
import { exportFormat } from "../base/prefs";
import { go, route, settle } from "../base/router";
import { MiniBoard } from "../board/mini";
import type { Scene } from "../board/scene";
import { base, at } from "../analyse/model";
import { aboutNode, stonesAt } from "../analyse/tree";
import { language, t, tOr } from "../i18n";
import { explain } from "../net/explain";
import { fetchGame } from "../net/fetch_game";
import { hello, linkState, Refusal, request } from "../net/link";
import type { FileText, Game, GameRow, ListQuery } from "../net/messages";
import { sceneOf, pointsOf, stonesOfGame } from "../play/scene";
import { notify } from "../ui/announce";
import { Button, DeleteButton, Dialog, Empty, Select, TextField } from "../ui/controls";
import { fileText } from "../ui/files";
import { FormatSelect } from "../ui/format_select";
import { guarded } from "../ui/guarded";
import { useKeys } from "../ui/keys";
import { playerName, specsCalled } from "../ui/players";
import { ruleName, rulesText } from "../ui/rules";
import { Pictures } from "./pictures";

const PAGE = 50;
/** Formats of which a file has room for one game. */
const HOLD_ONE: readonly string[] = ["rec"];

interface Filter {
  readonly text: string;
  readonly rule: string;
  readonly result: string;
  readonly order: string;
}

const filter = signal<Filter>({ text: "", rule: "", result: "", order: "changed" });
const byPosition = signal(false);
const rows = signal<readonly GameRow[] | null>(null);
const total = signal(0);
const offset = signal(0);
const picked = signal<ReadonlySet<string>>(new Set());
const shown = signal<Game | null>(null);

function query(): ListQuery {
  const f = filter.value;
  return {
    ...(f.text ? { text: f.text, specs: specsCalled(f.text) } : {}),
    ...(f.rule ? { rule: f.rule } : {}),
    ...(f.result ? { result: f.result } : {}),
    ...(byPosition.value ? aboutNode(base.value, at.value) : {}),
    order: f.order,
    offset: offset.value,
    limit: PAGE,
  };
}

/** Another page, or the first one of other games: what is no longer in sight is not to be deleted. */
function listFrom(first: number): void {
  offset.value = first;
  picked.value = new Set();
}

function refresh(): Promise<void> {
  return guarded(async () => {
    const reply = await request("library.list", query());
    if (reply.games.length === 0 && offset.value > 0) {
      // The last page is gone with its games; the change of page asks again.
      listFrom(Math.max(0, Math.ceil(reply.total / PAGE) - 1) * PAGE);
      return;
    }
    rows.value = reply.games;
    total.value = reply.total;
  });
}

function show(id: string): Promise<void> {
  return guarded(async () => {
    shown.value = await fetchGame(id);
  });
}

function unshow(): void {
  shown.value = null;
  settle("library");
}

function unpack(file: FileText): Blob {
  const content = file.base64 === undefined ? (file.text ?? "") : Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0));
  return new Blob([content], { type: file.type });
}

function take(games: readonly string[]): Promise<void> {
  return guarded(async () => {
    const file = await request("library.export", { games, format: exportFormat.value });
    saveFile(file.name, unpack(file));
  });
}

/** Takes what can be read and says of the rest what is wrong, in one note however many there are. */
async function bring(files: readonly File[]): Promise<void> {
  let count = 0;
  const bad: { name: string; why: string }[] = [];
  for (const file of files) {
    const base64 = await fileText(file);
    if (base64 === null) continue;
    try {
      count += (await request("library.import", { name: file.name, base64 })).games.length;
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      bad.push({ name: file.name, why: explain.refusal(e) });
    }
  }
  if (count > 0) notify(t("library.brought", { n: count }));
  if (bad.length > 1) notify(t("library.unread", { names: bad.map((b) => b.name).join(", ") }), "bad");
  for (const b of bad.length === 1 ? bad : []) notify(b.why.startsWith(b.name) ? b.why : `${b.name}: ${b.why}`, "bad");
  await refresh();
}

function erase(games: readonly string[]): Promise<void> {
  return guarded(async () => {
    await request("library.delete", { games });
    if (shown.value && games.includes(shown.value.game)) unshow();
    picked.value = new Set();
    await refresh();
  });
}

function resultText(row: GameRow): string {
  if (row.result === null || row.result === "open") return t("library.open");
  return tOr(`library.result.${row.result}`, row.result);
}

function Row({ row }: { readonly row: GameRow }) {
  const on = picked.value.has(row.game);
  const toggle = (): void => {
    const next = new Set(picked.value);
    if (on) next.delete(row.game);
    else next.add(row.game);
    picked.value = next;
  };
  const names = `${playerName(row.black)} – ${playerName(row.white)}`;
  return (
    <tr class={shown.value?.game === row.game ? "on" : ""} data-testid="game-row" data-game={row.game}>
      <td>
        <input type="checkbox" checked={on} aria-label={t("library.pick", { name: row.name || names })} onChange={toggle} />
      </td>
      <td>
        <button type="button" class="plain" onClick={() => go("library", row.game)}>
          {row.name || names}
        </button>
        <small class="narrow-only">{rulesText(row.rules)}</small>
        <small class="narrow-only">{dateText(row.changed, language.value, "short")}</small>
        {row.comment && <small class="comment">{row.comment}</small>}
      </td>
      <td class="wide-only">{rulesText(row.rules)}</td>
      <td>{resultText(row)}</td>
      <td class="figure">{row.plies}</td>
      <td class="wide-only">{dateText(row.changed, language.value)}</td>
    </tr>
  );
}

function Filters() {
  const f = filter.value;
  const set = (part: Partial<Filter>): void => {
    listFrom(0);
    filter.value = { ...f, ...part };
  };
  return (
    <div class="filters" role="search">
      <TextField label={t("library.search")} testid="search" value={f.text} onChange={(text) => set({ text })} />
      <Select label={t("rules.rule")} value={f.rule} choices={[{ value: "", text: t("library.any") }, ...(hello.value?.rules ?? []).map((r) => ({ value: r, text: ruleName(r) }))]} onChange={(rule) => set({ rule })} />
      <Select
        label={t("library.result")}
        value={f.result}
        choices={[
          { value: "", text: t("library.any") },
          { value: "b", text: t("over.black") },
          { value: "w", text: t("over.white") },
          { value: "draw", text: t("over.draw") },
          { value: "open", text: t("library.open") },
        ]}
        onChange={(result) => set({ result })}
      />
      <Select
        label={t("library.order")}
        value={f.order}
        choices={["changed", "created", "plies", "name"].map((o) => ({ value: o, text: tOr(`library.order.${o}`, o) }))}
        onChange={(order) => set({ order })}
      />
    </div>
  );
}

function ThePosition() {
  const { stones, unnumbered } = stonesAt(base.value, at.value);
  return (
    <div class="the-position">
      <MiniBoard scene={{ ...sceneOf(base.value.rules, stones, unnumbered), coordinates: false }} size={120} label={t("library.theBoard")} />
      <p class="about">
        {t("library.byPositionAbout")} <a href="#/analyse">{t("view.analyse")}</a>
      </p>
    </div>
  );
}

function PositionFilter() {
  return (
    <div class="position-filter">
      <Button icon="search" pressed={byPosition.value} testid="by-position" onClick={() => {
        listFrom(0);
        byPosition.value = !byPosition.value;
      }}>
        {t("library.byPosition")}
      </Button>
    </div>
  );
}

function frames(g: Game): Scene[] {
  const { stones, unnumbered } = stonesOfGame(g);
  return Array.from({ length: stones.length - unnumbered + 1 }, (_, i) => ({
    ...sceneOf(g.rules, stones.slice(0, unnumbered + i), unnumbered),
    row: i === stones.length - unnumbered ? pointsOf(g.row) : [],
  }));
}

function Details({ g }: { readonly g: Game }) {
  const change = (part: { name?: string; comment?: string; tags?: string[] }): Promise<void> =>
    guarded(async () => {
      const { game } = await request("game.set", { game: g.game, ...part });
      if (shown.value?.game === g.game) shown.value = game; // or it was closed meanwhile
      await refresh();
    });
  const all = frames(g);
  const last = all[all.length - 1]!;
  const self = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where it lies above a list that has been scrolled, it would open unseen.
    if (self.current!.getBoundingClientRect().top < 0) self.current!.scrollIntoView();
  }, [g.game]);
  const row = useRef("");
  row.current = g.game;
  useEffect(
    () => () => {
      if (route.value.view === "library") document.querySelector(`[data-game="${row.current}"]`)?.scrollIntoView({ block: "nearest" });
    },
    [],
  );
  return (
    <section ref={self} class="card details" data-testid="details" key={g.game}>
      <header class="row between">
        <h2>{g.name || rulesText(g.rules)}</h2>
        <Button icon="close" kind="quiet" label={t("ui.close")} onClick={unshow} />
      </header>
      <MiniBoard scene={{ ...last, coordinates: false }} size={260} label={t("board.label", { n: last.stones.length })} />
      <div class="actions">
        <Button icon="play" kind="primary" testid="open-game" onClick={() => go("play", g.game)}>
          {t("library.openGame")}
        </Button>
        <Button icon="analyse" onClick={() => go("analyse", "game", g.game, g.plies)}>
          {t("play.analyse")}
        </Button>
        <Button icon="review" testid="review-game" onClick={() => go("review", g.game)}>
          {t("play.review")}
        </Button>
        <DeleteButton testid="delete" onDelete={() => erase([g.game])} />
      </div>
      <TextField label={t("library.name")} value={g.name} testid="game-name" onChange={(name) => void change({ name })} />
      <TextField label={t("library.comment")} lines={3} value={g.comment} testid="game-comment" onChange={(comment) => void change({ comment })} />
      <TextField label={t("library.tags")} value={g.tags.join(", ")} onChange={(v) => void change({ tags: v.split(",").map((s) => s.trim()).filter((s) => s !== "") })} />
      <div class="row">
        <FormatSelect />
        <Button icon="download" testid="export" onClick={() => take([g.game])}>
          {t("library.export")}
        </Button>
      </div>
      <Pictures frames={() => all} name={g.name || "game"} film />
    </section>
  );
}

function Paste({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [kind, setKind] = useState("");
  const bringIt = (): Promise<void> =>
    guarded(async () => {
      const reply = await request("library.import", { name: `pasted.${kind || "txt"}`, text: text.trimStart(), ...(kind ? { format: kind } : {}) });
      notify(t("library.brought", { n: reply.games.length }));
      onClose();
      await refresh();
    });
  return (
    <Dialog title={t("library.paste")} open={open} onClose={onClose}>
      <TextField label={t("library.pasteText")} lines={8} testid="paste-text" value={text} onChange={setText} />
      <Select label={t("library.format")} testid="paste-format" value={kind} choices={[{ value: "", text: t("library.guess") }, ...(hello.value?.formats.in ?? []).map((f) => ({ value: f, text: f }))]} onChange={setKind} />
      <footer>
        <Button kind="primary" testid="paste-go" onClick={bringIt}>
          {t("library.import")}
        </Button>
      </footer>
    </Dialog>
  );
}

export function Library() {
  const file = useRef<HTMLInputElement>(null);
  const [paste, setPaste] = useState(false);
  const args = route.value.view === "library" ? route.value.args : [];
  const [what] = args;
  const came = useRef(false);
  useEffect(() => {
    // Who comes from another view finds the game that lay open; who goes back a step closes it.
    const lay = came.current ? null : shown.value;
    came.current = true;
    if (what === "position") {
      listFrom(0);
      byPosition.value = true;
    } else if (what === undefined) {
      if (lay) settle("library", lay.game);
      else shown.value = null;
    }
  }, [what]);
  useEffect(() => {
    if (what !== undefined && what !== "position" && linkState.value === "ready") void show(what);
  }, [what, linkState.value]);
  useEffect(() => {
    if (linkState.value === "ready") void refresh();
  }, [linkState.value, filter.value, offset.value, byPosition.value]);
  useKeys([{ key: "i", what: t("library.import"), act: () => file.current?.click() }]);
  const chosen = [...picked.value];
  const tooMany = chosen.length > 1 && HOLD_ONE.includes(exportFormat.value);
  const all = rows.value ?? [];
  const f = filter.value;
  return (
    <div
      class={`view library${shown.value ? " with-details" : ""}`}
      onDragOver={(e) => e.preventDefault()}
      onDrop={(e) => {
        e.preventDefault();
        void bring([...(e.dataTransfer?.files ?? [])]);
      }}
    >
      <section class="card">
        <div class="row between wrap">
          <PositionFilter />
          <div class="row wrap">
            <input ref={file} type="file" multiple class="unseen" tabIndex={-1} aria-label={t("library.import")} accept={(hello.value?.formats.in ?? []).map((f) => `.${f}`).concat(".xml").join(",")} onChange={(e) => {
              void bring([...(e.currentTarget.files ?? [])]);
              e.currentTarget.value = "";
            }} />
            <Button icon="upload" testid="import" onClick={() => file.current?.click()}>
              {t("library.import")}
            </Button>
            <Button icon="edit" testid="paste" onClick={() => setPaste(true)}>
              {t("library.paste")}
            </Button>
          </div>
        </div>
        {byPosition.value && <ThePosition />}
        <Filters />
        {chosen.length > 0 && (
          <div class="row wrap chosen">
            <span>{t("library.chosen", { n: chosen.length })}</span>
            <FormatSelect />
            <Button icon="download" testid="export-chosen" disabled={tooMany} onClick={() => take(chosen)}>
              {t("library.export")}
            </Button>
            <DeleteButton onDelete={() => erase(chosen)} />
            {tooMany && <small>{t("library.holdsOne", { format: exportFormat.value })}</small>}
          </div>
        )}
        {rows.value !== null && all.length === 0 ? (
          <Empty>{t(f.text || f.rule || f.result || byPosition.value ? "library.noHits" : "library.none")}</Empty>
        ) : (
          <div class="table-room">
            <table class="games">
              <thead>
                <tr>
                  <th>
                    <span class="unseen">{t("library.select")}</span>
                  </th>
                  <th>{t("library.game")}</th>
                  <th class="wide-only">{t("rules.rule")}</th>
                  <th>{t("library.result")}</th>
                  <th class="figure">{t("moves.title")}</th>
                  <th class="wide-only">{t("library.changed")}</th>
                </tr>
              </thead>
              <tbody>
                {all.map((row) => (
                  <Row key={row.game} row={row} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {total.value > PAGE && (
          <div class="row between">
            <Button icon="back" disabled={offset.value === 0} label={t("library.before")} onClick={() => listFrom(Math.max(0, offset.value - PAGE))} />
            <small>
              {offset.value + 1}–{Math.min(total.value, offset.value + PAGE)} / {total.value}
            </small>
            <Button icon="forward" disabled={offset.value + PAGE >= total.value} label={t("library.after")} onClick={() => listFrom(offset.value + PAGE)} />
          </div>
        )}
      </section>
      {shown.value && <Details g={shown.value} />}
      {paste && <Paste open onClose={() => setPaste(false)} />}
    </div>
  );
}

// SPDX-License-Identifier: MIT
// A view of runs (matches, learners): their list, a button for a new one, and beside them the one that is
// followed, which the address names or else is one under way.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { dateText } from "../base/format";
import { route } from "../base/router";
import { language, t, tOr } from "../i18n";
import { linkState, request } from "../net/link";
import { Button, Empty } from "./controls";
import { useKeys } from "./keys";

export interface RunRow {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly progress: string;
  readonly began: string;
}

interface Props {
  readonly view: "arena" | "learning";
  /** Begins the words, requests and test names. */
  readonly noun: "arena" | "learn";
  /** null: not known yet. */
  readonly rows: () => readonly RunRow[] | null;
  readonly watched: () => string | undefined;
  readonly refresh: () => Promise<void>;
  readonly watch: (id: string) => Promise<void>;
  readonly disabled?: boolean;
  readonly dialog: (close: () => void) => ComponentChildren;
  readonly children: ComponentChildren;
}

/** Only the one that is watched tells how far it is; for the others one has to look. */
const LOOK_MS = 3000;

export function Runs(p: Props) {
  const [dialog, setDialog] = useState(false);
  const [opening, setOpening] = useState(false);
  const rows = p.rows();
  const watch = (id: string): void => {
    setOpening(true);
    void p.watch(id).finally(() => setOpening(false));
  };
  const wish = route.value.view === p.view ? route.value.args[0] : undefined;
  useEffect(() => {
    if (linkState.value !== "ready") return;
    void p.refresh().then(() => {
      const all = p.rows() ?? [];
      const id = wish ?? (all.find((r) => r.state === "running") ?? all[0])?.id;
      if (id) watch(id);
    });
  }, [linkState.value]);
  useEffect(() => {
    const now = p.watched();
    if (wish && linkState.value === "ready" && now && now !== wish) watch(wish);
  }, [wish]);
  const others = rows?.some((r) => r.state === "running" && r.id !== p.watched()) ?? false;
  useEffect(() => {
    if (!others) return;
    const timer = setInterval(() => !document.hidden && void p.refresh(), LOOK_MS);
    return () => clearInterval(timer);
  }, [others]);
  useEffect(() => () => void request(`${p.noun}.unwatch`, {}).catch(() => undefined), []);
  useKeys([{ key: "n", what: t(`${p.noun}.start`), act: () => setDialog(true) }]);
  return (
    <div class="view two-columns">
      <section class="card side">
        <Button icon="plus" kind="primary" testid={`${p.noun}-new`} disabled={p.disabled ?? false} onClick={() => setDialog(true)}>
          {t(`${p.noun}.start`)}
        </Button>
        <p class="about">{t(`${p.noun}.about`)}</p>
        <ul class="runs">
          {rows?.map((r) => (
            <li key={r.id}>
              <button type="button" class={r.id === p.watched() ? "on" : ""} onClick={() => watch(r.id)}>
                <strong>{r.title}</strong>
                <small>
                  {tOr(`state.${r.state}`, r.state)} · {r.progress} · {dateText(r.began, language.value)}
                </small>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <div class="stack">
        {rows && !opening && p.watched() === undefined && <Empty>{t(`${p.noun}.${rows.length > 0 ? "choose" : "none"}`)}</Empty>}
        {p.children}
      </div>
      {dialog && p.dialog(() => setDialog(false))}
    </div>
  );
}

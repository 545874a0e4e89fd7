// SPDX-License-Identifier: MIT
// A view of runs (matches, learners): their list, a button for a new one, and beside them the one that is
// followed, which the address names or else is one under way.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { dateText } from "../base/format";
import { route } from "../base/router";
import { language, t, tOr } from "../i18n";
import { linkState, request } from "../net/link";
import { Button } from "./controls";
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
  readonly rows: () => readonly RunRow[];
  readonly watched: () => string | undefined;
  readonly refresh: () => Promise<void>;
  readonly watch: (id: string) => Promise<void>;
  readonly disabled?: boolean;
  readonly dialog: (close: () => void) => ComponentChildren;
  readonly children: ComponentChildren;
}

export function Runs(p: Props) {
  const [dialog, setDialog] = useState(false);
  const wish = route.value.view === p.view ? route.value.args[0] : undefined;
  useEffect(() => {
    if (linkState.value !== "ready") return;
    void p.refresh().then(() => {
      const id = wish ?? (p.rows().find((r) => r.state === "running") ?? p.rows()[0])?.id;
      if (id) void p.watch(id);
    });
  }, [linkState.value]);
  useEffect(() => {
    const now = p.watched();
    if (wish && linkState.value === "ready" && now && now !== wish) void p.watch(wish);
  }, [wish]);
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
          {p.rows().map((r) => (
            <li key={r.id}>
              <button type="button" class={r.id === p.watched() ? "on" : ""} onClick={() => void p.watch(r.id)}>
                <strong>{r.title}</strong>
                <small>
                  {tOr(`state.${r.state}`, r.state)} · {r.progress} · {dateText(r.began, language.value)}
                </small>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <div class="stack">{p.children}</div>
      {dialog && p.dialog(() => setDialog(false))}
    </div>
  );
}

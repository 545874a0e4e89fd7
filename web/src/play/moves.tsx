// SPDX-License-Identifier: MIT
// The moves of a game as a list of pairs; each can be gone to.

import { useEffect, useRef } from "preact/hooks";
import type { Colour } from "../base/point";
import { t } from "../i18n";

interface Entry {
  readonly text: string;
  /** Whose move it is; left out: Black began. */
  readonly colour?: Colour;
  readonly mark?: string;
  readonly note?: string;
  readonly commented?: boolean;
}

export function MoveList({ moves, at, onGo }: { readonly moves: readonly Entry[]; readonly at: number; readonly onGo?: (ply: number) => void }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>(".here");
    // Scrolls the list alone, never the page; before the first move it shows its beginning.
    if (list.current) list.current.scrollTop = here ? here.offsetTop - list.current.clientHeight / 2 : 0;
  }, [at, moves.length]);
  if (moves.length === 0) return <p class="empty">{t("moves.none")}</p>;
  return (
    <ol ref={list} class="move-list" aria-label={t("moves.list")} tabIndex={0}>
      {moves.map((m, i) => (
        <li key={i}>
          <button
            type="button"
            class={`${i + 1 === at ? "here" : ""}${m.mark ? ` ${m.mark.replace(" ", "-")}` : ""}${m.commented ? " commented" : ""}`}
            aria-current={i + 1 === at ? "step" : undefined}
            title={m.note}
            disabled={!onGo}
            onClick={() => onGo?.(i + 1)}
          >
            <span class="number">{i + 1}</span>
            <span class={`dot ${m.colour ?? (i % 2 === 0 ? "b" : "w")}`} />
            {m.text}
            {m.commented && <span class="unseen">, {t("comment.some")}</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}

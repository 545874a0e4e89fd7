// SPDX-License-Identifier: MIT
// The pattern database, drawn: each pattern as a small board with its score and how it came there.

import { useEffect, useState } from "preact/hooks";
import { parsePoint } from "../base/point";
import { MiniBoard } from "../board/mini";
import { emptyScene, type Scene } from "../board/scene";
import { t, tOr } from "../i18n";
import { request } from "../net/link";
import type { Pattern } from "../net/messages";
import { Button, Empty, Select } from "../ui/controls";

const PAGE = 24;

function sceneOf(p: Pattern): Scene {
  const stones = p.stones.flatMap((name) => {
    const at = parsePoint(name);
    return at ? [{ ...at, colour: "b" as const }] : [];
  });
  return { ...emptyScene(p.width, p.height), stones, coordinates: false };
}

/** The score over time, as one stroke. */
function Spark({ history }: { readonly history: Pattern["history"] }) {
  if (history.length < 2) return null;
  const xs = history.map((h) => h[0]);
  const ys = history.map((h) => h[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const at = (v: number, from: number, to: number, size: number): string => ((size * (v - from)) / Math.max(1e-9, to - from)).toFixed(1);
  const d = history.map(([x, y], i) => `${i === 0 ? "M" : "L"}${at(x, x0, x1, 96)} ${(26 - Number(at(y, y0, y1, 24))).toFixed(1)}`).join("");
  return (
    <svg class="spark" viewBox="0 0 96 28" role="img" aria-label={`${ys[0]} → ${ys[ys.length - 1]}`}>
      <path d={d} />
    </svg>
  );
}

/** Those of a learner, or without one those that the program brings along. */
export function Patterns({ learn, games }: { readonly learn: string | null; readonly games: number }) {
  const [order, setOrder] = useState("value");
  const [offset, setOffset] = useState(0);
  const [found, setFound] = useState<{ total: number; patterns: readonly Pattern[] } | null>(null);
  // The database grows while it is looked at: read again now and then, not at every game.
  const epoch = Math.floor(games / 20);
  useEffect(() => {
    let here = true;
    request("pattern.list", { ...(learn ? { learn } : {}), order, offset, limit: PAGE }).then(
      (reply) => here && setFound(reply),
      () => undefined,
    );
    return () => void (here = false);
  }, [learn, order, offset, epoch]);
  if (!found && learn === null) return null;
  return (
    <section class="card">
      <div class="row between wrap">
        <h2>
          {t(learn ? "pattern.title" : "pattern.builtIn")} <small>{found ? t("pattern.count", { n: found.total }) : ""}</small>
        </h2>
        <Select
          label={t("library.order")}
          value={order}
          choices={["value", "count", "recent"].map((o) => ({ value: o, text: tOr(`pattern.order.${o}`, o) }))}
          onChange={(o) => {
            setOrder(o);
            setOffset(0);
          }}
        />
      </div>
      {found?.patterns.length === 0 && <Empty>{t("pattern.none")}</Empty>}
      <ul class="patterns" data-testid="patterns">
        {(found?.patterns ?? []).map((p) => (
          <li key={p.pattern}>
            <MiniBoard scene={sceneOf(p)} size={Math.min(126, 21 * Math.max(4, p.width))} label={p.pattern} />
            <strong>{Math.round(p.value)}</strong>
            <code>{p.pattern}</code>
            <small>{t("pattern.seen", { n: p.count })}</small>
            <Spark history={p.history} />
          </li>
        ))}
      </ul>
      {found && found.total > PAGE && (
        <div class="row between">
          <Button icon="back" label={t("library.before")} disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))} />
          <small>
            {offset + 1}–{Math.min(found.total, offset + PAGE)} / {found.total}
          </small>
          <Button icon="forward" label={t("library.after")} disabled={offset + PAGE >= found.total} onClick={() => setOffset(offset + PAGE)} />
        </div>
      )}
    </section>
  );
}

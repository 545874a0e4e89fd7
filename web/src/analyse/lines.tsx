// SPDX-License-Identifier: MIT
// The lines that the engine holds best. Pointing at a move shows the line up to it on the board.

import { percent, shortNumber, winnersMoves } from "../base/format";
import { t, tOr } from "../i18n";
import type { Line } from "../net/messages";
import { found, playLine, preview, running, side, wishes } from "./model";

const SHOWN = 14;

function mateText(mate: number): string {
  return t(mate > 0 ? "analyse.winIn" : "analyse.lossIn", { n: winnersMoves(mate) });
}

/** Some players only name their move. */
function valueText(line: Line): string {
  if (line.mate !== null) return mateText(line.mate);
  return line.value === null ? "–" : percent(line.value);
}

function LineRow({ line, rank }: { readonly line: Line; readonly rank: number }) {
  const show = (n: number): void => void (preview.value = { moves: line.line.slice(0, n), first: side.value });
  const hide = (): void => void (preview.value = null);
  return (
    <li class={rank === 0 ? "best" : ""} onPointerLeave={hide}>
      <span class="value">{valueText(line)}</span>
      <span class="line">
        {line.line.slice(0, SHOWN).map((m, i) => (
          <button key={i} type="button" class={i === 0 ? "first" : ""} onPointerEnter={() => show(i + 1)} onFocus={() => show(i + 1)} onBlur={hide} onClick={() => playLine(line.line.slice(0, i + 1))}>
            {m}
          </button>
        ))}
        {line.line.length > SHOWN && "…"}
      </span>
      <span class="depth">{line.depth > 0 && line.depth}</span>
    </li>
  );
}

export function Lines() {
  const e = found.value;
  if (!e) {
    return <p class="empty">{running.value ? t("analyse.waiting") : t("analyse.off")}</p>;
  }
  const ended = e.state === "done" && e.reason ? tOr(`analyse.end.${e.reason}`, e.detail ?? e.reason) : null;
  return (
    <>
      <p class="figures" data-testid="figures" data-depth={e.depth} data-state={e.state}>
        {e.depth > 0 && <span>{t("analyse.depth", { n: e.depth, max: e.sel_depth })}</span>}
        {e.nodes > 0 && <span>{t("analyse.nodes", { n: shortNumber(e.nodes) })}</span>}
        {e.nps > 0 && <span>{t("analyse.speed", { n: shortNumber(e.nps) })}</span>}
        {e.root?.now && running.value && <span>{t("analyse.considers", { point: e.root.now })}</span>}
      </p>
      <ol class="lines" data-testid="lines">
        {e.lines.slice(0, wishes.value.lines).map((line, i) => (
          <LineRow key={i} line={line} rank={i} />
        ))}
      </ol>
      {ended && <p class="about">{ended}</p>}
    </>
  );
}

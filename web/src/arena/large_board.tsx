// SPDX-License-Identifier: MIT
// One game of a match, large: over the page, move by move as it is played, and how it ended.

import { useEffect, useRef, useState } from "preact/hooks";
import { clockText, percent } from "../base/format";
import { splitMoves, type Colour } from "../base/point";
import { Board } from "../board/board";
import { t, tJoin } from "../i18n";
import { explain } from "../net/explain";
import { request } from "../net/link";
import type { ArenaGame, Rules } from "../net/messages";
import { pointsOf, sceneOf, stonesOf } from "../play/scene";
import { Button, Dialog } from "../ui/controls";
import { analyse, review } from "../ui/links";
import { playerName } from "../ui/players";
import { rulesText } from "../ui/rules";

const SIDES = ["b", "w"] as const;
const OVER = { b: "over.black", w: "over.white", draw: "over.draw" } as const;

function usedText(ms: number): string {
  return ms < 60_000 ? t("ui.seconds", { n: (ms / 1000).toFixed(1) }) : clockText(ms);
}

/** The time left where a clock runs, else the time used; with what whose turn it is has spent on it. */
function ClockFace({ g, colour }: { readonly g: ArenaGame; readonly colour: Colour }) {
  const side = SIDES.indexOf(colour);
  const [left, used] = [g.left_ms?.[side], g.used_ms?.[side]];
  const runs = g.turn === colour;
  const spent = runs ? (g.spent_ms ?? 0) : 0;
  if (used === undefined) return null;
  const what = t(left === undefined ? "arena.used" : "play.clock");
  return (
    <span class={`clock${runs ? " ticks" : ""}`} role="timer" aria-label={what} title={what}>
      {left === undefined ? usedText(used + spent) : clockText(left - spent)}
    </span>
  );
}

function SideCard({ g, colour }: { readonly g: ArenaGame; readonly colour: Colour }) {
  const value = g.values?.[SIDES.indexOf(colour)] ?? null;
  const [moves, won] = [g.turn === colour, g.result === colour];
  const notes = [won ? t("play.winner") : moves ? t("play.thinking") : "", value === null ? "" : t(g.result ? "arena.expected" : "arena.expects", { n: percent(value) })];
  return (
    <div class={`seat${moves ? " to-move" : ""}${won ? " won" : ""}`} data-testid={`side-${colour}`}>
      <span class={`stone ${colour}`} role="img" aria-label={t(colour === "b" ? "colour.black" : "colour.white")} />
      <span class="who">
        <strong>{playerName(colour === "b" ? g.black : g.white)}</strong>
        <small>{notes.filter((n) => n !== "").join(" · ")}</small>
      </span>
      <ClockFace g={g} colour={colour} />
    </div>
  );
}

/** The row that won: what a match tells of a game does not name it. */
function useRow(rules: Rules, g: ArenaGame): readonly string[] {
  const [row, setRow] = useState<readonly string[]>([]);
  const won = g.reason === "five";
  useEffect(() => {
    setRow([]);
    if (!won) return;
    const shown = { on: true };
    void request("position.look", { rules, position: g.moves })
      .then((look) => shown.on && setRow(look.row))
      .catch(() => undefined);
    return () => void (shown.on = false);
  }, [g.job, won]);
  return row;
}

function statusText(rules: Rules, g: ArenaGame, here: boolean): string {
  if (g.result) return tJoin(t(OVER[g.result]), explain.reason(g.reason ?? "", rules));
  if (!here) return t("arena.away");
  const moves = splitMoves(g.moves) ?? [];
  return moves.length > 0 ? t("arena.last", { n: moves.length, point: moves[moves.length - 1]! }) : "";
}

function Actions({ rules, g }: { readonly rules: Rules; readonly g: ArenaGame }) {
  return (
    <div class="actions">
      <Button icon="analyse" testid="large-analyse" onClick={() => analyse(rules, g.moves, g.plies)}>
        {t("play.analyse")}
      </Button>
      {g.result && (
        <Button icon="review" testid="large-review" onClick={() => review(rules, g.moves)}>
          {t("play.review")}
        </Button>
      )}
    </div>
  );
}

interface Props {
  readonly rules: Rules;
  readonly job: number;
  /** In the order in which one goes through them. */
  readonly games: readonly ArenaGame[];
  readonly onGo: (job: number) => void;
  readonly onClose: () => void;
}

export function LargeBoard({ rules, job, games, onGo, onClose }: Props) {
  const at = games.findIndex((g) => g.job === job);
  // One that is told of no more stays as it was last seen.
  const seen = useRef<ArenaGame | null>(null);
  const g = games[at] ?? (seen.current?.job === job ? seen.current : null);
  seen.current = g;
  const row = useRow(rules, g ?? { job, black: "", white: "", plies: 0, moves: "" });
  if (!g) return null;
  const step = (by: 1 | -1): void => {
    const from = at < 0 && by > 0 ? -1 : Math.max(0, at);
    const to = games[(from + by + games.length) % games.length];
    if (to) onGo(to.job);
  };
  const onKeyDown = (e: KeyboardEvent): void => {
    const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[e.key];
    if (!by || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    step(by);
  };
  const stones = stonesOf(g.moves);
  return (
    <Dialog title={t("arena.game", { n: g.job + 1 })} open wide onKeyDown={onKeyDown} onClose={onClose}>
      <div class="large-board" data-testid="large-board" data-job={g.job} data-result={g.result ?? ""}>
        <Board key={g.job} scene={{ ...sceneOf(rules, stones), row: pointsOf(row) }} label={t("board.label", { n: stones.length })} puts={null} />
        <aside>
          <div class="seats">
            <SideCard g={g} colour="b" />
            <SideCard g={g} colour="w" />
          </div>
          <p class={g.result ? "status strong" : "status"} role="status" data-testid="large-status">
            {statusText(rules, g, at >= 0)}
          </p>
          <Actions rules={rules} g={g} />
          <div class="row between">
            <small>{rulesText(rules)}</small>
            <div class="steps">
              <Button icon="back" kind="quiet" label={t("arena.before")} testid="large-before" disabled={games.length < 2} onClick={() => step(-1)} />
              <Button icon="forward" kind="quiet" label={t("arena.after")} testid="large-after" disabled={games.length < 2} onClick={() => step(1)} />
            </div>
          </div>
        </aside>
      </div>
    </Dialog>
  );
}

// SPDX-License-Identifier: MIT
// The two who play: name, colour, clock, and who is to move.

import { useEffect, useState } from "preact/hooks";
import { clockText } from "../base/format";
import { t } from "../i18n";
import { hello } from "../net/link";
import type { Game, Seat, Side } from "../net/messages";
import { levelChoice, levelOf, playerName } from "../ui/players";
import { ask, coloursOpen, game, heardAt, mySeat, pending } from "./model";
import { rememberLevel } from "./new_game";

function seatName(g: Game, seat: Seat): string {
  const side = g.sides[seat];
  if (side.player !== "human") return levelOf(side.player) === null && side.name ? side.name : playerName(side.player);
  if (mySeat.value === seat) return t("player.you");
  if (side.name) return side.name;
  if (coloursOpen(g)) return t(seat === 0 ? "player.first" : "player.second");
  return t(g.colours[seat] === "b" ? "colour.black" : "colour.white");
}

function useTick(on: boolean): void {
  const [, set] = useState(0);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => set((n) => n + 1), 100);
    return () => clearInterval(timer);
  }, [on]);
}

function ClockFace({ g, seat }: { readonly g: Game; readonly seat: Seat }) {
  const runs = g.turn?.seat === seat && !g.paused && !g.over;
  useTick(runs);
  const spent = (g.turn?.seat === seat ? g.turn.spent_ms : 0) + (runs ? performance.now() - heardAt.value : 0);
  const flagged = g.over?.reason === "time" && g.over.winner !== seat;
  const total = g.left_ms?.[seat];
  const turn = g.clock.turn_ms;
  if (total === undefined && turn === 0) return null;
  const left = flagged ? 0 : Math.min(total === undefined ? Infinity : total - spent, turn === 0 ? Infinity : turn - spent);
  return (
    <span class={`clock${runs ? " ticks" : ""}${left < 10_000 ? " short" : ""}`} role="timer" aria-label={t("play.clock")}>
      {clockText(left)}
    </span>
  );
}

function changeLevel(g: Game, seat: Seat, level: number): void {
  const side: Side = { player: `ab:level=${level}` };
  rememberLevel(seat, level);
  void ask("game.set", { sides: seat === 0 ? [side, g.sides[1]] : [g.sides[0], side] });
}

const COLOUR_WORDS = { b: "colour.black", w: "colour.white", open: "colour.open" } as const;

function SeatCard({ g, seat }: { readonly g: Game; readonly seat: Seat }) {
  const level = levelOf(g.sides[seat].player);
  const levels = hello.value?.levels;
  const moves = g.turn?.seat === seat && !g.over;
  const won = g.over?.winner === seat;
  const colour = coloursOpen(g) ? "open" : g.colours[seat];
  return (
    <div class={`seat${moves ? " to-move" : ""}${won ? " won" : ""}`} data-testid={`seat-${g.colours[seat]}`}>
      <span class={`stone ${colour}`} role="img" aria-label={t(COLOUR_WORDS[colour])} />
      <span class="who">
        <strong>{level !== null && !g.over ? "goren" : seatName(g, seat)}</strong>
        <small>{seatNote(g, seat)}</small>
      </span>
      {level !== null && levels && !g.over && (
        <select class="level" aria-label={t("player.level")} data-testid="level" value={String(level)} onChange={(e) => changeLevel(g, seat, Number(e.currentTarget.value))}>
          {Array.from({ length: levels.max - levels.min + 1 }, (_, i) => levels.min + i).map((n) => (
            <option key={n} value={String(n)}>
              {levelChoice(n)}
            </option>
          ))}
        </select>
      )}
      <ClockFace g={g} seat={seat} />
    </div>
  );
}

function seatNote(g: Game, seat: Seat): string {
  if (g.over) return g.over.winner === seat ? t("play.winner") : "";
  if (g.turn?.seat !== seat) return "";
  if (g.paused) return t("play.paused");
  if (g.turn.queued > 0) return t("play.queued", { n: g.turn.queued });
  if (g.turn.thinking) return t("play.thinking");
  return t(g.turn.ask.startsWith("colour") ? "play.chooses" : "play.toMove");
}

export function Seats() {
  const g = game.value;
  if (!g) return <div class="seats waiting" />;
  // The opponent above, oneself below, as at a table; with two people or none, who began is below.
  const low = mySeat.value ?? 0;
  pending.value;
  return (
    <div class="seats">
      <SeatCard g={g} seat={low === 0 ? 1 : 0} />
      <SeatCard g={g} seat={low} />
    </div>
  );
}

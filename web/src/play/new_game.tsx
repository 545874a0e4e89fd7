// SPDX-License-Identifier: MIT
// The new game dialog: what is played, who sits where, how much time there is.

import { useState } from "preact/hooks";
import { kept } from "../base/prefs";
import { t, tOr } from "../i18n";
import { hello } from "../net/link";
import type { NewGame, Rules, Seat } from "../net/messages";
import { Button, Dialog, NumberField, Segments, Select, Slider, useOnce } from "../ui/controls";
import { guarded } from "../ui/guarded";
import { levelOf, PlayerPicker } from "../ui/players";
import { RulesPicker, USUAL } from "../ui/rules";
import { begin } from "./model";

type Pace = "none" | "blitz" | "rapid" | "own";

interface Wish {
  readonly rules: Rules;
  readonly phase: string;
  readonly first: string;
  readonly second: string;
  readonly pace: Pace;
  readonly minutes: number;
  readonly increment: number;
  readonly turn: number;
  readonly think: number;
  readonly delay: number;
}

const wish = kept<Wish>("wish", {
  rules: USUAL,
  phase: "normal",
  first: "human",
  second: "ab:level=2",
  pace: "none",
  minutes: 5,
  increment: 2,
  turn: 0,
  think: 2,
  delay: 700,
});

/** The opponent of the game that is played is the one that the next game has, too. */
export function rememberLevel(seat: Seat, level: number): void {
  const w = wish.value;
  const levels = [w.first, w.second].map((p) => levelOf(p) !== null);
  const first = levels[0] && levels[1] ? seat === 0 : levels[0];
  const player = `ab:level=${level}`;
  if (first) wish.value = { ...w, first: player };
  else if (levels[1]) wish.value = { ...w, second: player };
}

/** Whom the last new game was against; without one, goren at a middling level. */
export function usualOpponent(): string {
  const { first, second } = wish.value;
  return [second, first].find((p) => p !== "human") ?? "ab:level=5";
}

const paces: Record<Exclude<Pace, "own">, { minutes: number; increment: number; turn: number }> = {
  none: { minutes: 0, increment: 0, turn: 0 },
  blitz: { minutes: 3, increment: 2, turn: 0 },
  rapid: { minutes: 15, increment: 5, turn: 0 },
};

function asRequest(w: Wish): NewGame {
  const pace = w.pace === "own" ? w : paces[w.pace];
  const people = [w.first, w.second].filter((p) => p === "human").length;
  return {
    rules: w.rules,
    phase: w.phase,
    sides: [{ player: w.first }, { player: w.second }],
    clock: { match_ms: pace.minutes * 60_000, turn_ms: pace.turn * 1000, increment_ms: pace.increment * 1000 },
    think_ms: w.think * 1000,
    delay_ms: people === 0 ? w.delay : 0,
  };
}

/** It is made anew each time it is opened: what was given up is not kept. */
export function NewGameDialog({ onClose }: { readonly onClose: () => void }) {
  const [w, setW] = useState<Wish>(wish.value);
  const set = (part: Partial<Wish>): void => setW({ ...w, ...part });
  const watching = w.first !== "human" && w.second !== "human";
  const thinks = w.first !== "human" || w.second !== "human";
  const start = useOnce(() =>
    guarded(async () => {
      await begin(asRequest(w));
      wish.value = w;
      onClose();
    }),
  );
  return (
    <Dialog title={t("new.title")} open wide onClose={onClose}>
      <form
        class="new-game"
        onSubmit={(e) => {
          e.preventDefault();
          start();
        }}
      >
        <div class="columns">
          <section>
            <h3>{t("new.who")}</h3>
            <PlayerPicker label={t("new.first")} testid="first" value={w.first} people onChange={(first) => set({ first })} />
            <PlayerPicker label={t("new.second")} testid="second" value={w.second} people onChange={(second) => set({ second })} />
            <Button icon="swap" kind="quiet" onClick={() => set({ first: w.second, second: w.first })}>
              {t("new.changeSeats")}
            </Button>
            <h3>{t("new.time")}</h3>
            <Segments<Pace>
              label={t("new.clock")}
              testid="pace"
              value={w.pace}
              choices={[
                { value: "none", text: t("new.noClock") },
                { value: "blitz", text: t("new.blitz") },
                { value: "rapid", text: t("new.rapid") },
                { value: "own", text: t("new.ownClock") },
              ]}
              onChange={(pace) => set({ pace })}
            />
            {w.pace === "own" && (
              <div class="row">
                <NumberField label={t("new.minutes")} value={w.minutes} min={0} max={600} step={0.5} onChange={(minutes) => set({ minutes })} />
                <NumberField label={t("new.increment")} value={w.increment} min={0} max={120} onChange={(increment) => set({ increment })} />
                <NumberField label={t("new.turn")} value={w.turn} min={0} max={600} onChange={(turn) => set({ turn })} />
              </div>
            )}
            {thinks && (
              <Slider
                label={t("new.think")}
                text={t("ui.seconds", { n: w.think })}
                value={w.think}
                min={0.5}
                max={Math.max(1, Math.min(30, (hello.value?.limits.think_ms ?? 30_000) / 1000))}
                step={0.5}
                onChange={(think) => set({ think })}
              />
            )}
            {watching && (
              <Slider label={t("new.delay")} text={t("ui.seconds", { n: w.delay / 1000 })} value={w.delay} min={0} max={5000} step={100} onChange={(delay) => set({ delay })} />
            )}
          </section>
          <section>
            <h3>{t("new.what")}</h3>
            <RulesPicker value={w.rules} onChange={(rules) => set({ rules })} />
            <Select
              label={t("new.opening")}
              testid="phase"
              value={w.phase}
              choices={(hello.value?.phases ?? ["normal"]).map((p) => ({ value: p, text: tOr(`phase.${p}`, p) }))}
              onChange={(phase) => set({ phase })}
            />
            <p class="about">{tOr(`phase.${w.phase}.about`, "")}</p>
          </section>
        </div>
        <footer>
          <Button kind="quiet" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button kind="primary" submit first testid="start">
            {watching ? t("new.watch") : t("new.start")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

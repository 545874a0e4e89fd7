// SPDX-License-Identifier: MIT
// The view people begin with: a board, two players, and what one can do.

import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { parsePoint, samePoint, type Point } from "../base/point";
import { kept, showForbidden, visited } from "../base/prefs";
import { go, route } from "../base/router";
import { Board } from "../board/board";
import { emptyScene, type Ghost, type Mark, type Scene } from "../board/scene";
import { t, tJoin } from "../i18n";
import { linkState, Refusal, request } from "../net/link";
import { explain } from "../net/explain";
import type { Game, Hint } from "../net/messages";
import { Button, Check, Slider } from "../ui/controls";
import { announce, notify } from "../ui/announce";
import { guarded } from "../ui/guarded";
import { useKeys } from "../ui/keys";
import { openingText } from "../ui/opening_name";
import { rulesText } from "../ui/rules";
import { MoveList } from "./moves";
import { again, ask, begin, coloursOpen, game, humans, isOver, move, myTurn, mySeat, open, outcome, pending } from "./model";
import { NewGameDialog } from "./new_game";
import { forgetLaid, laidStones, lay, nextColour, OpeningChoices, THREE_STONES, TWO_STONES, wanted } from "./opening";
import { pointsOf, sceneOf, stonesOfGame } from "./scene";
import { Seats } from "./seats";

const hint = signal<{ of: Game; hint: Hint } | null>(null);
const hinting = signal(false);
const autoNext = kept("autoNext", true);
const NEXT_GAME_MS = 4000;

function sceneNow(): Scene {
  const g = game.value;
  if (!g) return emptyScene(15, 15);
  const { stones, unnumbered } = stonesOfGame(g);
  const waits = pending.value;
  const point = waits ? parsePoint(waits.point) : null;
  const all = point && waits ? [...stones, { ...point, colour: waits.colour }] : stones;
  return {
    ...sceneOf(g.rules, all, unnumbered),
    row: pointsOf(g.row),
    forbidden: showForbidden.value && !waits ? pointsOf(g.forbidden) : [],
    ghosts: [...laidStones(g), ...hintStones(g)],
    marks: hintMarks(g),
  };
}

/** What was given for this game as it stands; versions of two games are alike. */
function hintFor(g: Game): Hint | null {
  const given = hint.value;
  return given?.of.game === g.game && given.of.version === g.version ? given.hint : null;
}

function hintMarks(g: Game): Mark[] {
  const given = hintFor(g);
  if (!given?.move || pending.value) return [];
  return pointsOf([given.move]).map((p) => ({ ...p, text: "★", tone: "best" }));
}

/** Stones that an opening wants and the hint would put, those that are laid already left out. */
function hintStones(g: Game): Ghost[] {
  const given = hintFor(g);
  if (!given?.points) return [];
  const colours = given.points.length === 3 ? THREE_STONES : TWO_STONES;
  const laid = laidStones(g);
  return pointsOf(given.points)
    .map((p, i) => ({ ...p, colour: colours[i]!, text: String(i + 1 + g.moves.length) }))
    .filter((p) => !laid.some((l) => samePoint(l, p)));
}

async function askHint(): Promise<void> {
  const g = game.value;
  if (!g || !myTurn.value || hinting.value) return;
  hinting.value = true;
  try {
    const given = await request("game.hint", { game: g.game, ms: 1000 });
    hint.value = { of: g, hint: given };
    if (given.move) announce(t("play.hintSays", { point: given.move }));
    else if (given.decision) notify([t(`play.hint.${given.decision}`), ...(given.points ?? [])].join(" "));
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    notify(explain.refusal(e), "bad");
  } finally {
    hinting.value = false;
  }
}

function choose(p: Point): void {
  visited.value = true;
  if (wanted(game.value).length > 0) {
    if (nextColour(game.value)) lay(p);
    return;
  }
  move(p);
}

function Status() {
  const g = game.value;
  if (!g) return <p class="status">{t("link.connecting")}</p>;
  if (g.over) return <p class="status strong">{outcome(g)}</p>;
  const moves = myTurn.value && g.turn?.ask === "move";
  if (!visited.value && moves && g.moves.length === 0 && mySeat.value === 0) return <p class="status">{t("play.welcome", { n: g.rules.win })}</p>;
  if (g.paused) return <p class="status">{t("play.paused")}</p>;
  if (humans.value === 0) return <p class="status">{t("play.watching")}</p>;
  if (myTurn.value) {
    const black = g.turn?.colour === "b";
    if (mySeat.value === null && coloursOpen(g)) return <p class="status">{t(g.turn?.seat === 0 ? "play.firstDecides" : "play.secondDecides")}</p>;
    if (mySeat.value === null) return <p class="status">{t(black ? "play.blackToMove" : "play.whiteToMove")}</p>;
    // At first, and where the opening has given out the colours anew, one is told which is one's own.
    const own = moves && (g.moves.length < 2 || g.phase.startsWith("swap")) ? t(black ? "play.youAreBlack" : "play.youAreWhite") : "";
    return <p class="status">{tJoin(own, t("play.yourMove"))}</p>;
  }
  if (humans.value === 2) return <p class="status">{t(pending.value?.colour === "b" ? "play.whiteToMove" : "play.blackToMove")}</p>;
  return <p class="status">{t("play.thinkingLong")}</p>;
}

/** After the end of a watched game the next one starts by itself, unless one says no. */
function useNextGame(g: Game | null): void {
  const ended = g?.over && humans.value === 0 && autoNext.value ? g.game : null;
  useEffect(() => {
    if (!ended) return;
    const timer = setTimeout(() => g && void begin(again(g)).catch(() => undefined), NEXT_GAME_MS);
    return () => clearTimeout(timer);
  }, [ended]);
}

/** Without one there is nothing that a pause would stop but the engine, and the key does. */
function hasClock(g: Game): boolean {
  return Boolean(g.clock.match_ms || g.clock.turn_ms);
}

function PauseButton({ g, primary }: { readonly g: Game; readonly primary?: boolean }) {
  return (
    <Button icon={g.paused ? "go" : "pause"} {...(primary || g.paused ? { kind: "primary" } : {})} testid="pause" onClick={() => ask("game.pause", { on: !g.paused })}>
      {t(g.paused ? "play.goOn" : "play.pause")}
    </Button>
  );
}

function WatchControls({ g }: { readonly g: Game }) {
  return (
    <div class="watch-controls">
      <div class="row">
        {!g.over && <PauseButton g={g} primary />}
        <Check label={t("play.autoNext")} value={autoNext.value} onChange={(on) => (autoNext.value = on)} />
      </div>
      <Slider
        label={t("new.delay")}
        text={t("ui.seconds", { n: g.delay_ms / 1000 })}
        value={g.delay_ms}
        min={0}
        max={5000}
        step={100}
        onChange={(delay_ms) => void ask("game.set", { delay_ms })}
      />
    </div>
  );
}

function Actions({ g, onNew }: { readonly g: Game | null; readonly onNew: () => void }) {
  const watching = humans.value === 0;
  const over = isOver.value;
  return (
    <div class="actions">
      {over && g && !watching && (
        <>
          <Button icon="redo" kind="primary" testid="again" onClick={() => guarded(() => begin(again(g)))}>
            {t("play.again")}
          </Button>
          <Button icon="review" onClick={() => go("review", g.game)}>
            {t("play.review")}
          </Button>
        </>
      )}
      {!watching && !over && g?.paused && <PauseButton g={g} />}
      {!watching && !over && (
        <Button icon="hint" disabled={!myTurn.value || hinting.value} testid="hint" onClick={askHint}>
          {hinting.value ? t("play.hinting") : t("play.hint")}
        </Button>
      )}
      {!watching && (
        <>
          <Button icon="undo" disabled={!g || g.undo === 0} testid="undo" onClick={() => ask("game.undo", {})}>
            {t("play.undo")}
          </Button>
          <Button icon="redo" disabled={!g || g.redo === 0} testid="redo" onClick={() => ask("game.redo", {})}>
            {t("play.redo")}
          </Button>
        </>
      )}
      {!watching && !over && (
        <Button icon="flag" disabled={!g || g.moves.length === 0} testid="resign" onClick={() => ask("game.resign", {})}>
          {t("play.resign")}
        </Button>
      )}
      {humans.value === 2 && !over && (
        <Button icon="handshake" disabled={!g || g.moves.length === 0} onClick={() => ask("game.draw", {})}>
          {t("play.draw")}
        </Button>
      )}
      {g?.turn?.thinking && !watching && (
        <Button icon="fast" testid="now" onClick={() => ask("game.now", {})}>
          {t("play.now")}
        </Button>
      )}
      {!watching && !over && g && !g.paused && hasClock(g) && <PauseButton g={g} />}
      <Button icon="analyse" disabled={!g} onClick={() => g && go("analyse", "game", g.game, g.plies)}>
        {t("play.analyse")}
      </Button>
      <Button icon="plus" kind={over || watching ? "quiet" : "primary"} testid="new" onClick={onNew}>
        {t("play.new")}
      </Button>
    </div>
  );
}

export function Play() {
  const [dialog, setDialog] = useState(false);
  const g = game.value;
  const wish = route.value.view === "play" ? route.value.args[0] : undefined;
  useEffect(() => {
    if (wish && linkState.value === "ready" && wish !== game.value?.game) void open(wish);
  }, [wish, linkState.value]);
  // One has scrolled down to begin a game, where the panel lies below the board or is a low one beside it.
  useEffect(() => {
    scrollTo({ top: 0 });
    document.querySelector(".panel")?.scrollTo({ top: 0 });
  }, [g?.game]);
  useEffect(() => forgetLaid(), [g?.game, g?.moves.length, g?.turn?.ask]);
  useNextGame(g);
  useKeys([
    { key: "n", what: t("play.new"), act: () => setDialog(true) },
    { key: "u", what: t("play.undo"), act: () => g && g.undo > 0 && ask("game.undo", {}) },
    { key: "r", what: t("play.redo"), act: () => g && g.redo > 0 && ask("game.redo", {}) },
    { key: "h", what: t("play.hint"), act: askHint },
    { key: "p", what: t("play.pause"), act: () => g && !g.over && ask("game.pause", { on: !g.paused }) },
    { key: "a", what: t("play.analyse"), act: () => g && go("analyse", "game", g.game, g.plies) },
  ]);
  const scene = sceneNow();
  const laying = nextColour(g);
  const puts = !myTurn.value || !g?.turn ? null : wanted(g).length > 0 ? laying : g.turn.ask === "three" ? null : g.turn.colour;
  return (
    <div class="view with-board">
      <Board scene={scene} label={t("board.label", { n: scene.stones.length })} puts={puts} purpose={g?.game ?? ""} onChoose={choose} />
      <aside class="panel" aria-label={t("play.panel")}>
        <Seats />
        <Status />
        <OpeningChoices />
        {g && humans.value === 0 && <WatchControls g={g} />}
        <Actions g={g} onNew={() => setDialog(true)} />
        {g && (
          <section class="record">
            <h2>
              {t("moves.title")}{" "}
              <small>
                {rulesText(g.rules)}
                {!g.setup && openingText(g.rules, g.moves.map((m) => m.p))}
              </small>
            </h2>
            <MoveList
              moves={g.moves.map((m) => ({ text: m.p, colour: m.c, ...(m.comment ? { note: m.comment, commented: true } : {}) }))}
              at={g.moves.length}
            />
          </section>
        )}
      </aside>
      {dialog && <NewGameDialog onClose={() => setDialog(false)} />}
    </div>
  );
}

// SPDX-License-Identifier: MIT
// The analysis board: any position, the engine beside it, lines and variations to try.

import { useEffect, useState } from "preact/hooks";
import { other, parsePoint, pointName } from "../base/point";
import { showBranches, showForbidden } from "../base/prefs";
import { go, route } from "../base/router";
import { percent, winnersMoves } from "../base/format";
import { Board, toTheBoard } from "../board/board";
import type { Branch, Mark, Scene } from "../board/scene";
import { t } from "../i18n";
import { hello, linkState, Refusal, request } from "../net/link";
import { explain } from "../net/explain";
import { enter } from "../play/model";
import { MoveList } from "../play/moves";
import { usualOpponent } from "../play/new_game";
import { lineOf, pointsOf, sceneOf } from "../play/scene";
import { notify } from "../ui/announce";
import { Button, Check, NumberField, Segments, Select, Slider, TextField } from "../ui/controls";
import { Graph } from "../ui/graph";
import { useKeys } from "../ui/keys";
import { review } from "../ui/links";
import { openingText } from "../ui/opening_name";
import { rulesText } from "../ui/rules";
import { Pictures } from "../library/pictures";
import { Balance } from "./balance";
import { Drawing } from "./drawing";
import { Lines } from "./lines";
import { at, base, block, blocked, bringBack, comment, draw, dropHere, follow, found, goTo, heat, looked, place, play, played, playLine, preview, promoteHere, remember, replace, revision, running, side, step, stop, tool, turnBoard, turnOver, valuesAlong, wishes, type Tool } from "./model";
import { SetUp } from "./set_up";
import { SIGNS, signsOf } from "./signs";
import { Threats } from "./threats";
import { TreeFiles } from "./tree_files";
import { aboutNode, lineThrough, rootOf, sideAt, stonesAt, type Node } from "./tree";

function engineMarks(lies: ReadonlySet<string>): Mark[] {
  const e = found.value;
  if (preview.value) return [];
  const out = blocked.value.filter((name) => !lies.has(name));
  const marks: Mark[] = pointsOf(out).map((p) => ({ ...p, text: "×", tone: "weak" }));
  if (!e) return marks;
  const taken = new Set<string>(out);
  e.lines.slice(0, wishes.value.lines).forEach((line, i) => {
    const p = parsePoint(line.move);
    if (!p) return;
    taken.add(line.move);
    const text = line.mate !== null ? `${line.mate > 0 ? "W" : "L"}${winnersMoves(line.mate)}` : line.value === null ? "★" : (line.value * 100).toFixed(0);
    marks.push({ ...p, text, tone: i === 0 ? "best" : i < 3 ? "good" : "plain" });
  });
  if (wishes.value.watch && running.value) {
    for (const name of e.root?.lost ?? []) {
      const p = parsePoint(name);
      if (p && !taken.has(name)) marks.push({ ...p, text: "", tone: "bad" });
    }
    const now = e.root?.now ? parsePoint(e.root.now) : null;
    if (now && !taken.has(e.root!.now!)) marks.push({ ...now, text: "", tone: "good" });
  }
  return marks;
}

/** The moves of the tree that go on from here, the main one first. */
function branchesHere(): Branch[] {
  const { children } = at.value;
  const letter = (i: number): string => (children.length > 1 ? String.fromCharCode(65 + (i % 26)) : "");
  return children.flatMap((n, i) => pointsOf([n.move]).map((p) => ({ ...p, text: letter(i) })));
}

function analysisScene(): Scene {
  revision.value;
  const { stones, unnumbered } = stonesAt(base.value, at.value);
  const look = looked.value;
  const ahead = preview.value;
  return {
    ...sceneOf(base.value.rules, stones, unnumbered),
    row: pointsOf(look?.row ?? []),
    forbidden: showForbidden.value ? pointsOf((look?.forbidden ?? []).map((f) => f.p)) : [],
    heat: wishes.value.heat && !ahead ? heat.value.flatMap((h) => pointsOf([h.p]).map((p) => ({ ...p, weight: h.w }))) : [],
    branches: showBranches.value && !ahead ? branchesHere() : [],
    signs: ahead ? [] : signsOf(at.value.signs),
    marks: engineMarks(new Set(stones.map(pointName))),
    ghosts: ahead ? lineOf(ahead.moves, ahead.first).map((s, i) => ({ ...s, text: String(i + 1), strong: true })) : [],
  };
}

function ValueBar() {
  const v = at.value.value;
  revision.value;
  const black = v ?? 0.5;
  return (
    <div class={`value-bar${v === null ? " unknown" : ""}`} role="img" aria-label={t("analyse.bar", { n: percent(black) })}>
      <span class="black" style={{ flexGrow: v === null ? "0" : String(black) }}>
        {v !== null && black > 0.14 && percent(black)}
      </span>
      <span class="white" style={{ flexGrow: String(1 - black) }}>
        {v !== null && black < 0.86 && percent(1 - black)}
      </span>
    </div>
  );
}

function EngineSettings() {
  const w = wishes.value;
  const limits = hello.value?.limits;
  const set = (part: Partial<typeof w>): void => void (wishes.value = { ...w, ...part });
  return (
    <details>
      <summary>{t("analyse.settings")}</summary>
      <div class="settings">
        <Slider label={t("analyse.lineCount")} text={String(w.lines)} value={w.lines} min={1} max={Math.min(10, limits?.lines ?? 10)} onChange={(lines) => set({ lines })} />
        <Slider label={t("analyse.threads")} text={String(w.threads)} value={w.threads} min={1} max={Math.max(1, limits?.threads ?? 1)} onChange={(threads) => set({ threads })} />
        <NumberField label={t("analyse.seconds")} value={w.seconds} min={0} max={(limits?.analysis_ms ?? 600_000) / 1000} onChange={(seconds) => set({ seconds })} />
        <Select
          label={t("analyse.player")}
          value={w.player}
          choices={[{ value: "", text: t("analyse.strongest") }, ...(hello.value?.players ?? []).filter((k) => k.kind !== "human").map((k) => ({ value: k.kind, text: k.kind }))]}
          onChange={(player) => set({ player })}
        />
        <Check label={t("analyse.watch")} value={w.watch} onChange={(watch) => set({ watch })} />
      </div>
    </details>
  );
}

function Blocked() {
  if (blocked.value.length === 0) return tool.value === "block" ? <p class="about">{t("analyse.blockAbout")}</p> : null;
  return (
    <p class="variations" data-testid="blocked">
      <small>{t("analyse.blocked")}</small>
      {blocked.value.map((name) => (
        <button key={name} type="button" onClick={() => block(parsePoint(name)!)}>
          {name} ×
        </button>
      ))}
    </p>
  );
}

function Engine() {
  return (
    <section>
      <Button icon={running.value ? "stop" : "go"} kind="primary" testid="analyse" onClick={() => (running.value ? stop() : (running.value = true))}>
        {t(running.value ? "analyse.stop" : "analyse.start")}
      </Button>
      <div class="grid-2">
        <Button icon="eye" pressed={wishes.value.heat} testid="heat" onClick={() => (wishes.value = { ...wishes.value, heat: !wishes.value.heat })}>
          {t("analyse.heat")}
        </Button>
        <Button icon="close" pressed={tool.value === "block"} testid="block" onClick={() => (tool.value = tool.value === "block" ? "play" : "block")}>
          {t("analyse.block")}
        </Button>
      </div>
      <Blocked />
      <ValueBar />
      <Lines />
      <EngineSettings />
    </section>
  );
}

function Explorer() {
  const rows = played.value;
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{t("analyse.played")}</h2>
      <table class="explorer">
        <thead>
          <tr>
            <th>{t("analyse.move")}</th>
            <th>{t("analyse.games")}</th>
            <th>{t("analyse.results")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 8).map((r) => (
            <tr key={r.p}>
              <td>
                <button type="button" class="plain" onClick={() => playLine([r.p])}>
                  {r.p}
                </button>
              </td>
              <td>{r.games}</td>
              <td>
                {r.black + r.draws + r.white === 0 ? (
                  "–"
                ) : (
                  <span class="shares" role="img" aria-label={`${r.black} / ${r.draws} / ${r.white}`} title={`${r.black} / ${r.draws} / ${r.white}`}>
                    <i class="black" style={{ flexGrow: String(r.black) }} />
                    <i class="draw" style={{ flexGrow: String(r.draws) }} />
                    <i class="white" style={{ flexGrow: String(r.white) }} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Variations() {
  revision.value;
  const here = at.value;
  const choices = here.parent && here.parent.children.length > 1 ? here.parent.children : [];
  if (choices.length === 0 && here.children.length < 2) return null;
  const list = (label: string, nodes: readonly Node[]) => (
    <p class="variations">
      <small>{label}</small>
      {nodes.map((n) => (
        <button key={n.move} type="button" class={n === here ? "here" : ""} onClick={() => goTo(n)}>
          {n.move}
        </button>
      ))}
    </p>
  );
  return (
    <>
      {choices.length > 0 && list(t("analyse.instead"), choices)}
      {here.children.length > 1 && list(t("analyse.next"), here.children)}
      {choices.length > 0 && (
        <div class="row">
          <Button icon="check" onClick={promoteHere}>
            {t("analyse.promote")}
          </Button>
          <Button icon="trash" kind="danger" onClick={dropHere}>
            {t("analyse.drop")}
          </Button>
        </div>
      )}
    </>
  );
}

export function StepButtons({ onStep }: { readonly onStep: (by: number) => void }) {
  return (
    <div class="steps">
      <Button icon="first" kind="quiet" label={t("step.first")} onClick={() => onStep(-10_000)} />
      <Button icon="back" kind="quiet" label={t("step.back")} testid="back" onClick={() => onStep(-1)} />
      <Button icon="forward" kind="quiet" label={t("step.forward")} testid="forward" onClick={() => onStep(1)} />
      <Button icon="last" kind="quiet" label={t("step.last")} onClick={() => onStep(10_000)} />
    </div>
  );
}

function Record() {
  revision.value;
  const node = at.value;
  const line = lineThrough(node);
  return (
    <section>
      <div class="row between">
        <h2>
          {t("moves.title")}{" "}
          <small>
            {rulesText(base.value.rules)}
            {base.value.stones === "" && openingText(base.value.rules, line.map((n) => n.move))}
          </small>
        </h2>
        <StepButtons onStep={step} />
      </div>
      <MoveList
        moves={line.map((n) => ({ text: n.move, colour: other(sideAt(base.value, n)), commented: n.comment !== "", ...(n.comment ? { note: n.comment } : n.value === null ? {} : { note: percent(n.value) }) }))}
        at={node.depth}
        onGo={(ply) => {
          goTo(line[ply - 1]!);
          toTheBoard();
        }}
      />
      <Variations />
      {(line.length > 0 || node.comment !== "") && <TextField key={node} label={node.depth > 0 ? t("comment.move", { n: node.depth }) : t("comment.start")} lines={2} testid="node-comment" value={node.comment} onChange={(text) => comment(node, text)} />}
      <Drawing />
      <TreeFiles />
    </section>
  );
}

function Curve() {
  const { plies, values } = valuesAlong();
  if (values.filter((v) => v !== null).length < 2) return null;
  const line = lineThrough(at.value);
  return (
    <section>
      <h2>{t("analyse.curve")}</h2>
      <Graph
        label={t("analyse.curve")}
        data={[plies, values.map((v) => (v === null ? null : v * 100))]}
        curves={[{ label: t("colour.black"), colour: "#4c9a86", fill: "rgba(76,154,134,0.16)", points: true }]}
        height={130}
        range={[0, 100]}
        text={(v) => `${v}%`}
        here={at.value.depth}
        onPick={(ply) => goTo(ply === 0 ? rootOf(at.value) : line[ply - 1]!)}
      />
    </section>
  );
}

async function playFromHere(): Promise<void> {
  const about = aboutNode(base.value, at.value);
  try {
    const reply = await request("game.new", {
      rules: about.rules,
      // Whoever asks gets the side to move.
      sides: side.value === "b" ? [{ player: "human" }, { player: usualOpponent() }] : [{ player: usualOpponent() }, { player: "human" }],
      setup: { position: about.position, ...(about.side ? { side: about.side } : {}) },
    });
    enter(reply.game.game);
    go("play", reply.game.game);
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    notify(explain.refusal(e), "bad");
  }
}

export function Analyse() {
  const [dialog, setDialog] = useState(false);
  const args = route.value.view === "analyse" ? route.value.args.join("/") : "";
  useEffect(() => {
    if (route.value.args[0] === "at") void follow(route.value.args);
    // A link within this view; our own changes of the address do not come this way.
    const followLink = (): void => {
      if (route.value.view === "analyse" && route.value.args[0] === "at") void follow(route.value.args);
    };
    addEventListener("hashchange", followLink);
    return () => {
      removeEventListener("hashchange", followLink);
      stop();
    };
  }, []);
  useEffect(() => {
    if (route.value.args[0] === "game" && linkState.value === "ready") void follow(route.value.args);
  }, [args, linkState.value]);
  useEffect(() => {
    if (route.value.args[0] !== "game") remember();
  }, [at.value, base.value, revision.value]);
  useKeys([
    { key: "ArrowLeft", what: t("step.back"), act: () => step(-1) },
    { key: "ArrowRight", what: t("step.forward"), act: () => step(1) },
    { key: "Home", what: t("step.first"), act: () => step(-10_000) },
    { key: "End", what: t("step.last"), act: () => step(10_000) },
    { key: "s", what: t("analyse.start"), act: () => (running.value = !running.value) },
    { key: "m", what: t("analyse.heat"), act: () => (wishes.value = { ...wishes.value, heat: !wishes.value.heat }) },
    { key: "x", what: t("analyse.block"), act: () => (tool.value = tool.value === "block" ? "play" : "block") },
    { key: "Delete", what: t("analyse.drop"), act: dropHere },
    { key: "z", what: t("analyse.bringBack"), act: bringBack },
  ]);
  const scene = analysisScene();
  const blocking = tool.value === "block";
  const drawing = SIGNS.find((kind) => kind === tool.value);
  const putting = tool.value !== "play" && !blocking && !drawing;
  const over = looked.value?.winner != null;
  return (
    <div class="view with-board">
      <Board
        scene={scene}
        label={t("board.label", { n: scene.stones.length })}
        puts={tool.value !== "play" ? (tool.value === "w" ? "w" : "b") : over ? null : side.value}
        purpose={tool.value}
        noStone={blocking || drawing !== undefined}
        anyPoint={tool.value !== "play"}
        onChoose={blocking ? block : drawing ? (p) => draw(drawing, p) : putting ? place : (p) => void play(p)}
      />
      <aside class="panel" aria-label={t("view.analyse")}>
        <Engine />
        <Threats />
        <Record />
        <Curve />
        <Explorer />
        <Balance />
        <section>
          <h2>{t("setup.title")}</h2>
          <Segments<Tool>
            label={t("setup.tool")}
            testid="tool"
            value={tool.value}
            choices={[
              { value: "play", text: t("setup.moves") },
              { value: "b", text: t("colour.black") },
              { value: "w", text: t("colour.white") },
              { value: "erase", text: t("setup.erase") },
            ]}
            onChange={(v) => (tool.value = v)}
          />
          <div class="row wrap">
            <Button icon="swap" onClick={turnOver}>
              {t("setup.turn", { colour: t(other(side.value) === "b" ? "colour.black" : "colour.white") })}
            </Button>
            <Button icon="edit" testid="setup" onClick={() => setDialog(true)}>
              {t("setup.enter")}
            </Button>
            <Button icon="trash" testid="clear" onClick={() => replace({ rules: base.value.rules, stones: "", side: "b" })}>
              {t("setup.clear")}
            </Button>
            <Button icon="redo" testid="rotate" onClick={() => turnBoard("rotate")}>
              {t("setup.rotate")}
            </Button>
            <Button icon="swap" testid="mirror" onClick={() => turnBoard("mirror")}>
              {t("setup.mirror")}
            </Button>
            <Button icon="play" testid="play-here" onClick={playFromHere}>
              {t("setup.play")}
            </Button>
            <Button icon="review" disabled={at.value.depth === 0 || base.value.stones !== ""} onClick={() => review(base.value.rules, lineThrough(at.value).map((n) => n.move).join(""))}>
              {t("play.review")}
            </Button>
            <Button icon="search" onClick={() => go("library", "position")}>
              {t("setup.find")}
            </Button>
          </div>
          <Pictures frames={() => [analysisScene()]} name="position" />
        </section>
      </aside>
      {dialog && <SetUp onClose={() => setDialog(false)} />}
    </div>
  );
}

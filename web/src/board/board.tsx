// SPDX-License-Identifier: MIT
// The board people touch: one canvas that follows mouse, finger and keyboard. It knows no game; it
// shows a scene and says which point was chosen.

import { useEffect, useRef, useState } from "preact/hooks";
import { calmMotion, confirmTouch, isDark } from "../base/prefs";
import { pointName, samePoint, type Colour, type Point } from "../base/point";
import { t } from "../i18n";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icon";
import {
  aspect,
  clampCamera,
  fitCell,
  layoutOf,
  maxZoom,
  pixelOf,
  pointAt,
  settled,
  WHOLE,
  zoomAt,
  type Camera,
  type Layout,
} from "./layout";
import { paint } from "./paint";
import type { Scene } from "./scene";
import { skins } from "./skin";

const LANDING_MS = 140;
const DRAG_PX = 9;

interface Props {
  readonly scene: Scene;
  readonly label: string;
  /** The colour of the stone that would be put; null: the board only shows. */
  readonly puts: Colour | null;
  /** Also points with stones may be chosen (setting up, taking away). */
  readonly anyPoint?: boolean;
  /** What a point is chosen for: a stone that waits to be confirmed for something else is let go. */
  readonly purpose?: string;
  /** What is put is no stone: none is shown below the pointer. */
  readonly noStone?: boolean;
  readonly onChoose?: (p: Point) => void;
  readonly onHover?: (p: Point | null) => void;
}

/** Where the panel lies below the board, what a button there shows is to be seen. */
export function toTheBoard(): void {
  scrollTo({ top: 0, behavior: calmMotion() ? "auto" : "smooth" });
}

interface Press {
  readonly x: number;
  readonly y: number;
  readonly camera: Camera;
  moved: boolean;
}

export function Board(props: Props) {
  const { scene } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [waiting, setWaiting] = useState<Point | null>(null);
  const [zoomed, setZoomed] = useState(false);
  // What changes with every pointer event lives outside the component's state: only paint reads it.
  const live = useRef({
    camera: WHOLE,
    hover: null as Point | null,
    cursor: null as Point | null,
    focused: false,
    landing: null as { at: Point; began: number } | null,
    pressed: new Map<number, { x: number; y: number }>(),
    press: null as Press | null,
    pinch: null as { distance: number; camera: Camera; x: number; y: number } | null,
    asked: 0,
    stones: scene.stones,
  }).current;
  const latest = useRef(props);
  latest.current = props;
  const waits = useRef<Point | null>(null);
  waits.current = waiting;

  const stoneAt = (p: Point): Colour | null =>
    latest.current.scene.stones.find((s) => s.x === p.x && s.y === p.y)?.colour ?? null;
  const free = (p: Point): boolean =>
    latest.current.puts !== null &&
    (latest.current.anyPoint === true ||
      (stoneAt(p) === null && !latest.current.scene.ghosts.some((g) => g.strong && samePoint(g, p))));

  const box = (): { layout: Layout; fit: number } => {
    const { width, height, coordinates } = latest.current.scene;
    const w = frame.current?.clientWidth ?? 300;
    const h = frame.current?.clientHeight ?? 300;
    return {
      layout: layoutOf(width, height, w, h, coordinates, live.camera),
      fit: fitCell(width, height, w, h, coordinates),
    };
  };

  const draw = (): void => {
    live.asked = 0;
    const target = canvas.current;
    const host = frame.current;
    const pen = target?.getContext("2d");
    if (!target || !host || !pen || host.clientWidth === 0) return;
    const dpr = Math.min(3, window.devicePixelRatio || 1);
    const w = Math.round(host.clientWidth * dpr);
    const h = Math.round(host.clientHeight * dpr);
    if (target.width !== w || target.height !== h) {
      target.width = w;
      target.height = h;
    }
    const { scene: now, puts, noStone } = latest.current;
    const layout = layoutOf(now.width, now.height, w, h, now.coordinates, live.camera);
    const waitsAt = waits.current;
    const hover = waitsAt ?? live.hover;
    const done = live.landing ? Math.min(1, (performance.now() - live.landing.began) / LANDING_MS) : 1;
    paint(pen, layout, now, skins[isDark() ? "dark" : "light"], dpr, {
      hover: hover && puts && !noStone && free(hover) ? { ...hover, colour: puts, strong: waitsAt !== null } : null,
      cursor: live.focused ? live.cursor : null,
      landing: live.landing && done < 1 ? { at: live.landing.at, done } : null,
    });
    // Where the points are, for tests and for tools that help people see.
    host.dataset["cell"] = (layout.cell / dpr).toFixed(3);
    host.dataset["x0"] = (layout.x0 / dpr).toFixed(3);
    host.dataset["y0"] = (layout.y0 / dpr).toFixed(3);
    if (done < 1) ask();
    else live.landing = null;
  };
  const ask = (): void => {
    if (!live.asked) live.asked = requestAnimationFrame(draw);
  };

  const moveCamera = (camera: Camera): void => {
    live.camera = camera;
    setZoomed(camera.zoom > 1.01);
    ask();
  };

  /** A zoomed board follows to a stone that is put where one does not look. */
  const bringIntoSight = (p: Point): void => {
    if (live.camera.zoom <= 1.01 || live.pressed.size > 0) return;
    const { layout } = box();
    const { x, y } = pixelOf(layout, p);
    const rim = layout.cell;
    if (x > rim && y > rim && x < layout.pixelWidth - rim && y < layout.pixelHeight - rim) return;
    moveCamera({
      ...live.camera,
      cx: p.x / Math.max(1, layout.width - 1),
      cy: p.y / Math.max(1, layout.height - 1),
    });
  };

  useEffect(() => {
    const watcher = new ResizeObserver(ask);
    if (frame.current) watcher.observe(frame.current);
    return () => {
      watcher.disconnect();
      cancelAnimationFrame(live.asked);
    };
  }, []);

  useEffect(() => {
    const before = live.stones;
    live.stones = scene.stones;
    const newest = scene.stones[scene.stones.length - 1];
    const grew = scene.stones.length === before.length + 1 && newest !== undefined;
    if (grew && !calmMotion()) live.landing = { at: newest, began: performance.now() };
    if (grew) bringIntoSight(newest);
    if (waiting && !free(waiting)) setWaiting(null);
    ask();
  });
  useEffect(() => setWaiting(null), [props.purpose, scene.stones.length, scene.width, scene.height]);
  useEffect(() => moveCamera(WHOLE), [scene.width, scene.height]);

  const choose = (p: Point): void => {
    setWaiting(null);
    if (free(p)) latest.current.onChoose?.(p);
    else if (latest.current.puts !== null) announce(t("board.taken", { point: pointName(p) }));
  };

  const local = (e: { clientX: number; clientY: number }): { x: number; y: number } => {
    const rect = frame.current!.getBoundingClientRect();
    return { x: e.clientX - rect.left, y: e.clientY - rect.top };
  };

  const setHover = (p: Point | null): void => {
    if (samePoint(p, live.hover)) return;
    live.hover = p;
    latest.current.onHover?.(p);
    ask();
  };

  const onDown = (e: PointerEvent): void => {
    if (e.button !== 0) return;
    // The board takes no focus from a press, but what is being typed elsewhere ends with it.
    if (document.activeElement !== frame.current) (document.activeElement as HTMLElement | null)?.blur();
    const at = local(e);
    live.pressed.set(e.pointerId, at);
    frame.current?.setPointerCapture(e.pointerId);
    const { layout } = box();
    live.press = { ...at, camera: settled(layout, live.camera), moved: false };
    const [a, b] = [...live.pressed.values()];
    if (a && b) {
      live.press.moved = true;
      live.pinch = {
        distance: Math.hypot(a.x - b.x, a.y - b.y),
        camera: live.camera,
        x: (a.x + b.x) / 2,
        y: (a.y + b.y) / 2,
      };
    }
  };

  const onMove = (e: PointerEvent): void => {
    const at = local(e);
    const { layout, fit } = box();
    if (!live.pressed.has(e.pointerId)) {
      setHover(e.pointerType === "mouse" ? pointAt(layout, at.x, at.y) : null);
      return;
    }
    live.pressed.set(e.pointerId, at);
    const [a, b] = [...live.pressed.values()];
    if (live.pinch && a && b) {
      const factor = Math.hypot(a.x - b.x, a.y - b.y) / Math.max(20, live.pinch.distance);
      moveCamera(zoomAt(layout, live.camera, fit, live.pinch.x, live.pinch.y, (live.pinch.camera.zoom * factor) / live.camera.zoom));
      return;
    }
    const press = live.press;
    if (!press) return;
    if (Math.hypot(at.x - press.x, at.y - press.y) > DRAG_PX) press.moved = true;
    if (!press.moved) return;
    if (live.camera.zoom > 1.01) {
      moveCamera(
        clampCamera({
          zoom: press.camera.zoom,
          cx: press.camera.cx - (at.x - press.x) / layout.cell / Math.max(1, layout.width - 1),
          cy: press.camera.cy + (at.y - press.y) / layout.cell / Math.max(1, layout.height - 1),
        }),
      );
    } else if (e.pointerType !== "mouse" && confirmTouch.value && latest.current.puts) {
      // A finger that slides carries the stone along; it is put only when confirmed.
      const p = pointAt(layout, at.x, at.y);
      if (p && free(p)) setWaiting(p);
    } else if (e.pointerType === "mouse") {
      setHover(pointAt(layout, at.x, at.y));
    }
  };

  const onUp = (e: PointerEvent): void => {
    const press = live.press;
    const wasPinch = live.pinch !== null;
    live.pressed.delete(e.pointerId);
    if (live.pressed.size < 2) live.pinch = null;
    const [stays] = live.pressed.values();
    if (stays) {
      // The finger that is left goes on from where the pinch has led.
      live.press = { ...stays, camera: settled(box().layout, live.camera), moved: true };
      return;
    }
    live.press = null;
    if (!press || wasPinch || (press.moved && (e.pointerType !== "mouse" || live.camera.zoom > 1.01))) return;
    const at = local(e);
    const p = pointAt(box().layout, at.x, at.y);
    if (!p) return;
    const asks = e.pointerType !== "mouse" && confirmTouch.value && latest.current.anyPoint !== true;
    if (asks && free(p) && !samePoint(p, waits.current)) {
      setWaiting(p);
      announce(t("board.confirm", { point: pointName(p) }));
    } else {
      choose(p);
    }
  };

  const onWheel = (e: WheelEvent): void => {
    const { layout, fit } = box();
    const wants = e.ctrlKey || live.camera.zoom > 1.01 || maxZoom(fit) > 1.8;
    if (!wants) return;
    e.preventDefault();
    const at = local(e);
    moveCamera(zoomAt(layout, live.camera, fit, at.x, at.y, Math.exp(-e.deltaY / (e.ctrlKey ? 120 : 400))));
  };
  useEffect(() => {
    const host = frame.current;
    host?.addEventListener("wheel", onWheel, { passive: false });
    return () => host?.removeEventListener("wheel", onWheel);
  }, []);

  const zoomBy = (factor: number): void => {
    const { layout, fit } = box();
    moveCamera(zoomAt(layout, live.camera, fit, layout.pixelWidth / 2, layout.pixelHeight / 2, factor));
  };

  const say = (p: Point): void => {
    const stone = stoneAt(p);
    const what = stone
      ? t(stone === "b" ? "board.black" : "board.white")
      : latest.current.scene.forbidden.some((f) => samePoint(f, p))
        ? t("board.forbidden")
        : t("board.empty");
    const signs = latest.current.scene.signs.filter((s) => samePoint(s, p)).map((s) => t(`sign.${s.kind}`, { text: s.text }));
    announce([`${pointName(p)}: ${what}`, ...signs].join(", "));
  };

  const step = (dx: number, dy: number): void => {
    const { width, height } = latest.current.scene;
    const from = live.cursor ?? { x: Math.floor(width / 2), y: Math.floor(height / 2) };
    const to = {
      x: Math.min(width - 1, Math.max(0, from.x + dx)),
      y: Math.min(height - 1, Math.max(0, from.y + dy)),
    };
    live.cursor = to;
    if (live.camera.zoom > 1.01) {
      moveCamera({ ...live.camera, cx: to.x / Math.max(1, width - 1), cy: to.y / Math.max(1, height - 1) });
    }
    say(to);
    latest.current.onHover?.(to);
    ask();
  };

  const onKey = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const jump = e.shiftKey ? 5 : 1;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => step(-jump, 0),
      ArrowRight: () => step(jump, 0),
      ArrowUp: () => step(0, jump),
      ArrowDown: () => step(0, -jump),
      Enter: () => live.cursor && choose(live.cursor),
      " ": () => live.cursor && choose(live.cursor),
      "+": () => zoomBy(1.4),
      "-": () => zoomBy(1 / 1.4),
    };
    const act = keys[e.key];
    if (!act) return;
    e.preventDefault();
    e.stopPropagation();
    act();
  };

  const onFocus = (): void => {
    live.focused = true;
    const last = latest.current.scene.last;
    const { width, height } = latest.current.scene;
    live.cursor ??= last ?? { x: Math.floor(width / 2), y: Math.floor(height / 2) };
    ask();
  };

  isDark(); // a change of theme paints the board again
  const zoomable = zoomed || scene.width > 24 || scene.height > 24;
  const ratio = aspect(scene.width, scene.height, scene.coordinates);
  const shape = ratio > 1.8 ? " narrow" : ratio < 0.55 ? " flat" : "";
  return (
    <div class={`board-room${zoomable ? " zoomable" : ""}${shape}`} style={{ "--aspect": ratio.toFixed(4) }}>
      <div
        ref={frame}
        class={`board-frame${props.puts ? " playable" : ""}${zoomed ? " zoomed" : ""}`}
        role="application"
        aria-roledescription={t("board.role")}
        aria-label={props.label}
        tabIndex={0}
        data-testid="board"
        data-moves={scene.stones.map(pointName).join("")}
        data-row={scene.row.map(pointName).join(" ")}
        data-forbidden={scene.forbidden.map(pointName).join(" ")}
        data-marks={scene.marks.map((m) => `${pointName(m)}=${m.text}`).join(" ")}
        data-signs={scene.signs.map((s) => `${pointName(s)}=${s.text || s.kind}`).join(" ")}
        data-branches={scene.branches.map(pointName).join(" ")}
        data-ghosts={scene.ghosts.map(pointName).join(" ")}
        data-heat={scene.heat.length}
        data-puts={props.puts ?? ""}
        onMouseDown={(e) => e.preventDefault()}
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={(e) => {
          live.pressed.delete(e.pointerId);
          live.pinch = null;
          live.press = null;
        }}
        onPointerLeave={() => setHover(null)}
        onKeyDown={onKey}
        onFocus={onFocus}
        onBlur={() => {
          live.focused = false;
          latest.current.onHover?.(null);
          ask();
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
      {zoomable && (
        <div class="zoom-buttons">
          <button type="button" aria-label={t("board.zoomIn")} title={t("board.zoomIn")} onClick={() => zoomBy(1.6)}>
            +
          </button>
          <button type="button" aria-label={t("board.zoomOut")} title={t("board.zoomOut")} onClick={() => zoomBy(1 / 1.6)}>
            −
          </button>
        </div>
      )}
      {waiting && (
        <div class="confirm-move" data-testid="confirm">
          <button type="button" class="quiet" aria-label={t("board.dontPlay")} onClick={() => setWaiting(null)}>
            <Icon name="close" />
          </button>
          <button type="button" class="primary" onClick={() => choose(waiting)}>
            <Icon name="check" /> {t("board.playPoint", { point: pointName(waiting) })}
          </button>
        </div>
      )}
    </div>
  );
}

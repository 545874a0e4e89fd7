// SPDX-License-Identifier: MIT
// Paint: a scene on a canvas. Everything is measured in cells, so it is crisp at every size and
// pixel ratio; what lies outside the canvas is not drawn, so a zoomed 100x100 board is as quick as
// a small one.

import { columnName, type Point } from "../base/point";
import { pixelOf, roomForNames, type Layout } from "./layout";
import { starPoints, type Branch, type Ghost, type Mark, type Scene } from "./scene";
import { placeSigns, SIGN_PEN, signPaths, textSize, type PlacedSign } from "./sign";
import { inkOn, stoneOf, woodOf, type Skin } from "./skin";

type Pen = CanvasRenderingContext2D;

const STONE = 0.475;
const FONT = '"Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** What only a live board has: pointer, keyboard cursor, a stone that is just landing. */
export interface Touches {
  readonly hover: Ghost | null;
  readonly cursor: Point | null;
  /** The newest stone and how far it has come, 0 … 1. */
  readonly landing: { readonly at: Point; readonly done: number } | null;
}

const UNTOUCHED: Touches = { hover: null, cursor: null, landing: null };

/** A layout in device pixels is expected; `dpr` only keeps hairlines visible. */
export function paint(pen: Pen, layout: Layout, scene: Scene, skin: Skin, dpr: number, touches = UNTOUCHED): void {
  const { signs, has: isSigned } = placeSigns(scene, skin);
  paintWood(pen, layout, skin);
  paintLines(pen, layout, scene, skin, dpr);
  paintHeat(pen, layout, scene, skin);
  paintForbidden(pen, layout, scene, skin);
  paintStones(pen, layout, scene, skin, touches, isSigned);
  paintRow(pen, layout, scene, skin);
  // A sign takes the place of a stone's number and of a branch's letter.
  for (const branch of scene.branches) paintBranch(pen, layout, isSigned(branch) ? { ...branch, text: "" } : branch, skin);
  for (const sign of signs) paintSign(pen, layout, sign, skin);
  for (const ghost of scene.ghosts) paintGhost(pen, layout, ghost, skin);
  if (touches.hover) paintGhost(pen, layout, touches.hover, skin);
  for (const mark of scene.marks) paintMark(pen, layout, mark, skin);
  if (scene.coordinates) paintCoordinates(pen, layout, skin);
  if (touches.cursor) paintCursor(pen, layout, touches.cursor, skin, dpr);
}

function visible(layout: Layout, p: Point): boolean {
  const { x, y } = pixelOf(layout, p);
  const room = layout.cell;
  return x > -room && y > -room && x < layout.pixelWidth + room && y < layout.pixelHeight + room;
}

function paintWood(pen: Pen, layout: Layout, skin: Skin): void {
  pen.imageSmoothingQuality = "high";
  pen.drawImage(woodOf(skin), 0, 0, layout.pixelWidth, layout.pixelHeight);
}

function paintLines(pen: Pen, layout: Layout, scene: Scene, skin: Skin, dpr: number): void {
  const thin = Math.max(dpr * 0.6, Math.min(layout.cell * 0.032, dpr * 1.4));
  const left = layout.x0;
  const right = layout.x0 + (scene.width - 1) * layout.cell;
  const bottom = layout.y0;
  const top = layout.y0 - (scene.height - 1) * layout.cell;
  pen.strokeStyle = skin.line;
  pen.lineCap = "square";
  // Lines sit on whole device pixels, or they would be two grey ones.
  const snap = (v: number): number => Math.round(v - thin / 2) + thin / 2;
  const stroke = (x1: number, y1: number, x2: number, y2: number): void => {
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  };
  // Far-off lines of a huge board would become a grey carpet: they fade a little.
  pen.globalAlpha = Math.min(1, 0.35 + layout.cell / (dpr * 14));
  for (let x = 0; x < scene.width; x++) {
    const at = snap(left + x * layout.cell);
    if (at < -2 || at > layout.pixelWidth + 2) continue;
    pen.lineWidth = x === 0 || x === scene.width - 1 ? thin * 1.6 : thin;
    stroke(at, top, at, bottom);
  }
  for (let y = 0; y < scene.height; y++) {
    const at = snap(bottom - y * layout.cell);
    if (at < -2 || at > layout.pixelHeight + 2) continue;
    pen.lineWidth = y === 0 || y === scene.height - 1 ? thin * 1.6 : thin;
    stroke(left, at, right, at);
  }
  pen.globalAlpha = 1;
  pen.fillStyle = skin.line;
  for (const p of starPoints(scene.width, scene.height)) {
    const { x, y } = pixelOf(layout, p);
    pen.beginPath();
    pen.arc(snap(x), snap(y), Math.max(dpr, layout.cell * 0.085), 0, 7);
    pen.fill();
  }
}

/** Wood behind the names where a zoomed board reaches below them. */
function paintStrips(pen: Pen, layout: Layout, skin: Skin, beside: number, above: number): void {
  const { pixelWidth: w, pixelHeight: h, cell } = layout;
  const reach = cell * 0.5;
  pen.fillStyle = skin.wood[0];
  pen.globalAlpha = 0.86;
  if (layout.x0 - reach < beside / 2) pen.fillRect(0, 0, beside, h);
  if (layout.x0 + (layout.width - 1) * cell + reach > w - beside / 2) pen.fillRect(w - beside, 0, beside, h);
  if (layout.y0 - (layout.height - 1) * cell - reach < above / 2) pen.fillRect(0, 0, w, above);
  if (layout.y0 + reach > h - above / 2) pen.fillRect(0, h - above, w, above);
  pen.globalAlpha = 1;
}

function paintCoordinates(pen: Pen, layout: Layout, skin: Skin): void {
  const { cell } = layout;
  const room = roomForNames(layout);
  const wish = Math.min(Math.max(cell * 0.29, 8), 24);
  const fontOf = (size: number): string => `500 ${size}px ${FONT}`;
  pen.font = fontOf(wish);
  const wide = pen.measureText(String(layout.height)).width + 2;
  // Where the whole of a large board is small, names give way to stones.
  const size = wish * Math.min(1, room / wide);
  const half = (wide / 2) * (size / wish);
  const step = [1, 2, 5, 10].find((s) => s * cell > size * 2.1) ?? 20;
  pen.font = fontOf(size);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  // They stay at the rim of the picture, so a zoomed board keeps its names.
  const rim = Math.min(cell * 0.62, size * 1.15);
  const side = Math.max(rim * 0.85, half);
  const aside = Math.max(cell * 0.69, cell * 0.5 + half);
  const below = Math.max(cell * 0.69, cell * 0.5 + size * 0.6);
  const left = Math.max(side, layout.x0 - aside);
  const right = Math.min(layout.pixelWidth - side, layout.x0 + (layout.width - 1) * cell + aside);
  const bottom = Math.min(layout.pixelHeight - rim * 0.8, layout.y0 + below);
  const top = Math.max(rim * 0.8, layout.y0 - (layout.height - 1) * cell - below);
  paintStrips(pen, layout, skin, Math.max(rim * 1.7, 2 * half), rim * 1.6);
  pen.fillStyle = skin.label;
  for (let x = 0; x < layout.width; x += step) {
    const at = layout.x0 + x * cell;
    if (at < rim || at > layout.pixelWidth - rim) continue;
    pen.fillText(columnName(x), at, bottom);
    pen.fillText(columnName(x), at, top);
  }
  for (let y = 0; y < layout.height; y++) {
    if (y !== 0 && (y + 1) % step !== 0) continue;
    const at = layout.y0 - y * cell;
    if (at < rim || at > layout.pixelHeight - rim) continue;
    pen.fillText(String(y + 1), left, at);
    pen.fillText(String(y + 1), right, at);
  }
}

function paintHeat(pen: Pen, layout: Layout, scene: Scene, skin: Skin): void {
  const most = Math.max(0.0001, ...scene.heat.map((h) => h.weight));
  for (const spot of scene.heat) {
    if (!visible(layout, spot)) continue;
    const { x, y } = pixelOf(layout, spot);
    const strength = Math.sqrt(spot.weight / most);
    const glow = pen.createRadialGradient(x, y, 0, x, y, layout.cell * 0.62);
    glow.addColorStop(0, `rgba(${skin.heat},${(0.62 * strength).toFixed(3)})`);
    glow.addColorStop(0.6, `rgba(${skin.heat},${(0.34 * strength).toFixed(3)})`);
    glow.addColorStop(1, `rgba(${skin.heat},0)`);
    pen.fillStyle = glow;
    pen.fillRect(x - layout.cell, y - layout.cell, layout.cell * 2, layout.cell * 2);
  }
}

function paintForbidden(pen: Pen, layout: Layout, scene: Scene, skin: Skin): void {
  pen.strokeStyle = skin.forbidden;
  pen.lineCap = "round";
  pen.lineWidth = Math.max(1, layout.cell * 0.085);
  const arm = layout.cell * 0.17;
  for (const p of scene.forbidden) {
    if (!visible(layout, p)) continue;
    const { x, y } = pixelOf(layout, p);
    pen.beginPath();
    pen.moveTo(x - arm, y - arm);
    pen.lineTo(x + arm, y + arm);
    pen.moveTo(x + arm, y - arm);
    pen.lineTo(x - arm, y + arm);
    pen.stroke();
  }
}

function paintStones(pen: Pen, layout: Layout, scene: Scene, skin: Skin, touches: Touches, isSigned: (p: Point) => boolean): void {
  const radius = layout.cell * STONE;
  scene.stones.forEach((stone, i) => {
    if (!visible(layout, stone)) return;
    const { x, y } = pixelOf(layout, stone);
    const landing = touches.landing;
    const falls = landing !== null && landing.at.x === stone.x && landing.at.y === stone.y;
    const sprite = stoneOf(stone.colour, radius, skin);
    const rise = falls ? 1 + 0.16 * (1 - landing.done) ** 2 : 1;
    const size = sprite.width * rise;
    pen.globalAlpha = falls ? Math.min(1, 0.35 + landing.done) : 1;
    pen.drawImage(sprite, x - size / 2, y - size / 2, size, size);
    pen.globalAlpha = 1;
    if (isSigned(stone)) return;
    const isLast = scene.last !== null && scene.last.x === stone.x && scene.last.y === stone.y;
    const number = scene.numbersFrom === null ? 0 : i + scene.numbersFrom;
    if (number > 0) {
      const ink = inkOn(stone.colour);
      writeIn(pen, String(number), x, y, radius, isLast ? lastInk(stone.colour, skin) : ink);
    } else if (isLast) {
      pen.strokeStyle = lastInk(stone.colour, skin);
      pen.lineWidth = Math.max(1.5, layout.cell * 0.075);
      pen.beginPath();
      pen.arc(x, y, radius * 0.46, 0, 7);
      pen.stroke();
    }
  });
}

function lastInk(colour: "b" | "w", skin: Skin): string {
  return colour === "b" ? "#ff7a55" : skin.name === "dark" ? "#c8351a" : skin.accent;
}

/** Text that fits into a circle, larger where it is short. */
function writeIn(pen: Pen, text: string, x: number, y: number, radius: number, ink: string): void {
  const size = radius * textSize(text);
  if (size < 5) return;
  pen.font = `600 ${size}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = ink;
  pen.fillText(text, x, y + size * 0.06);
}

function paintRow(pen: Pen, layout: Layout, scene: Scene, skin: Skin): void {
  const first = scene.row[0];
  const final = scene.row[scene.row.length - 1];
  if (!first || !final) return;
  const from = pixelOf(layout, first);
  const to = pixelOf(layout, final);
  pen.save();
  pen.lineCap = "round";
  pen.strokeStyle = skin.accent;
  pen.shadowColor = skin.accent;
  pen.shadowBlur = layout.cell * 0.35;
  pen.lineWidth = layout.cell * 0.11;
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x, to.y);
  pen.stroke();
  pen.restore();
}

function paintGhost(pen: Pen, layout: Layout, ghost: Ghost, skin: Skin): void {
  if (!visible(layout, ghost)) return;
  const radius = layout.cell * STONE;
  const { x, y } = pixelOf(layout, ghost);
  const sprite = stoneOf(ghost.colour, radius, skin);
  pen.globalAlpha = ghost.strong ? 0.82 : 0.55;
  pen.drawImage(sprite, x - sprite.width / 2, y - sprite.height / 2);
  pen.globalAlpha = 1;
  if (ghost.strong && !ghost.text) {
    pen.strokeStyle = lastInk(ghost.colour, skin);
    pen.lineWidth = Math.max(1.5, layout.cell * 0.07);
    pen.setLineDash([layout.cell * 0.16, layout.cell * 0.11]);
    pen.beginPath();
    pen.arc(x, y, radius * 1.06, 0, 7);
    pen.stroke();
    pen.setLineDash([]);
  }
  if (ghost.text) writeIn(pen, ghost.text, x, y, radius, ghost.colour === "b" ? "#fff" : "#26231e");
}

/** A ring, wide enough to be seen around a mark; the wood behind a letter has no lines. */
function paintBranch(pen: Pen, layout: Layout, branch: Branch, skin: Skin): void {
  if (!visible(layout, branch)) return;
  const { x, y } = pixelOf(layout, branch);
  const radius = layout.cell * 0.47;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.fillStyle = skin.wood[0];
  pen.globalAlpha = branch.text === "" ? 0.35 : 0.9;
  pen.fill();
  pen.globalAlpha = 1;
  pen.strokeStyle = skin.label;
  pen.lineWidth = Math.max(1, layout.cell * 0.035);
  pen.stroke();
  if (branch.text) writeIn(pen, branch.text, x, y, radius * 0.8, skin.label);
}

function paintSign(pen: Pen, layout: Layout, sign: PlacedSign, skin: Skin): void {
  if (!visible(layout, sign)) return;
  const { x, y } = pixelOf(layout, sign);
  const radius = layout.cell * STONE;
  if (!sign.on) {
    pen.fillStyle = skin.wood[0];
    pen.globalAlpha = 0.9;
    pen.beginPath();
    pen.arc(x, y, radius * sign.radius, 0, 7);
    pen.fill();
    pen.globalAlpha = 1;
  }
  if (sign.kind === "label") {
    writeIn(pen, sign.text, x, y, radius * sign.radius, sign.ink);
    return;
  }
  pen.save();
  pen.translate(x, y);
  pen.scale(radius, radius);
  pen.strokeStyle = sign.ink;
  pen.lineWidth = Math.max(SIGN_PEN, 1 / radius);
  pen.lineCap = pen.lineJoin = "round";
  pen.stroke(new Path2D(signPaths[sign.kind]));
  pen.restore();
}

const tones: Record<Mark["tone"], { fill: string; ink: string }> = {
  best: { fill: "rgba(22,104,86,0.95)", ink: "#ffffff" },
  good: { fill: "rgba(52,112,150,0.92)", ink: "#ffffff" },
  plain: { fill: "rgba(250,244,232,0.82)", ink: "#33281a" },
  weak: { fill: "rgba(120,96,60,0.32)", ink: "#2a1e0c" },
  bad: { fill: "rgba(164,40,28,0.94)", ink: "#ffffff" },
};

function paintMark(pen: Pen, layout: Layout, mark: Mark, skin: Skin): void {
  if (!visible(layout, mark)) return;
  const { x, y } = pixelOf(layout, mark);
  const radius = layout.cell * 0.45;
  const tone = tones[mark.tone];
  if (mark.text === "") {
    // A dot: many of them may be on the board, so those that say no are small.
    pen.fillStyle = tone.fill;
    pen.beginPath();
    pen.arc(x, y, layout.cell * (mark.tone === "bad" ? 0.085 : 0.16), 0, 7);
    pen.fill();
    return;
  }
  pen.fillStyle = tone.fill;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.fill();
  pen.strokeStyle = skin.name === "dark" ? "rgba(0,0,0,0.3)" : "rgba(255,255,255,0.35)";
  pen.lineWidth = Math.max(1, layout.cell * 0.03);
  pen.stroke();
  if (mark.small) {
    writeIn(pen, mark.text, x, y - radius * 0.22, radius * 0.84, tone.ink);
    writeIn(pen, mark.small, x, y + radius * 0.5, radius * 0.56, tone.ink);
  } else {
    writeIn(pen, mark.text, x, y, radius, tone.ink);
  }
}

function paintCursor(pen: Pen, layout: Layout, at: Point, skin: Skin, dpr: number): void {
  const { x, y } = pixelOf(layout, at);
  const half = layout.cell * 0.48;
  const arm = layout.cell * 0.2;
  const corners = (ink: string, width: number): void => {
    pen.strokeStyle = ink;
    pen.lineWidth = width;
    pen.beginPath();
    for (const [sx, sy] of [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const) {
      pen.moveTo(x + sx * half, y + sy * (half - arm));
      pen.lineTo(x + sx * half, y + sy * half);
      pen.lineTo(x + sx * (half - arm), y + sy * half);
    }
    pen.stroke();
  };
  pen.lineCap = "round";
  corners("rgba(255,255,255,0.9)", Math.max(3 * dpr, layout.cell * 0.12));
  corners(skin.accent, Math.max(1.5 * dpr, layout.cell * 0.06));
}

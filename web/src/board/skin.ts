// SPDX-License-Identifier: MIT
// Skin: wood and stones for the light and the dark page, painted once per size and kept.

import type { Colour } from "../base/point";

export interface Skin {
  readonly name: "light" | "dark" | "print";
  readonly wood: readonly [string, string];
  readonly grain: string;
  readonly line: string;
  readonly label: string;
  readonly accent: string;
  readonly forbidden: string;
  readonly heat: string;
}

/** What is written on a stone. */
export function inkOn(stone: Colour): string {
  return stone === "b" ? "#f4f1ea" : "#26231e";
}

export const skins: Record<Skin["name"], Skin> = {
  light: {
    name: "light",
    wood: ["#ecc98b", "#dfb470"],
    grain: "118,74,22",
    line: "rgba(70,45,12,0.78)",
    label: "rgba(70,45,12,0.82)",
    accent: "#d4472a",
    forbidden: "#b3261e",
    heat: "196,60,30",
  },
  dark: {
    name: "dark",
    wood: ["#b58a55", "#9a7243"],
    grain: "50,28,6",
    line: "rgba(30,18,4,0.8)",
    label: "rgba(28,16,4,0.9)",
    accent: "#ff6a45",
    forbidden: "#8d1510",
    heat: "214,52,20",
  },
  print: {
    name: "print",
    wood: ["#f0d29a", "#f0d29a"],
    grain: "118,74,22",
    line: "#5b3f16",
    label: "#5b3f16",
    accent: "#d4472a",
    forbidden: "#b3261e",
    heat: "196,60,30",
  },
};

/** The same grain on every visit: a small generator with a fixed seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function makeCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  return canvas;
}

function paintWood(skin: Skin): HTMLCanvasElement {
  const size = 1024;
  const canvas = makeCanvas(size, size);
  const pen = canvas.getContext("2d")!;
  const base = pen.createLinearGradient(0, 0, size, size);
  base.addColorStop(0, skin.wood[0]);
  base.addColorStop(1, skin.wood[1]);
  pen.fillStyle = base;
  pen.fillRect(0, 0, size, size);
  // Year rings cut lengthwise: long, almost straight, in bundles that swell and thin out.
  const random = seeded(5);
  const phase = random() * 6;
  for (let x = -30; x < size + 30; ) {
    const bundle = 0.5 + 0.5 * Math.sin(x / 61 + phase) * Math.sin(x / 173);
    pen.strokeStyle = `rgba(${skin.grain},${(0.02 + 0.075 * bundle * random()).toFixed(3)})`;
    pen.lineWidth = 0.6 + 2.2 * random();
    const sway = 5 + 10 * random();
    const slow = 260 + 240 * random();
    const shift = random() * 6;
    pen.beginPath();
    for (let y = 0; y <= size; y += 32) {
      const bend = Math.sin(y / slow + shift) * sway + Math.sin(y / 900 + x / 300) * 14;
      if (y === 0) pen.moveTo(x + bend, y);
      else pen.lineTo(x + bend, y);
    }
    pen.stroke();
    x += 2.2 + 6 * random();
  }
  for (let i = 0; i < 1500; i++) {
    pen.fillStyle = `rgba(${skin.grain},${(0.05 * random()).toFixed(3)})`;
    pen.fillRect(random() * size, random() * size, 0.8, 4 + 14 * random());
  }
  return canvas;
}

const woods = new Map<string, HTMLCanvasElement>();

export function woodOf(skin: Skin): HTMLCanvasElement {
  let wood = woods.get(skin.name);
  if (!wood) {
    wood = paintWood(skin);
    woods.set(skin.name, wood);
  }
  return wood;
}

function paintStone(colour: Colour, radius: number, dark: boolean): HTMLCanvasElement {
  const room = radius * 1.5;
  const canvas = makeCanvas(room * 2, room * 2);
  const pen = canvas.getContext("2d")!;
  const c = canvas.width / 2;
  if (radius > 4) {
    pen.save();
    pen.shadowColor = dark ? "rgba(10,5,0,0.6)" : "rgba(60,30,0,0.45)";
    pen.shadowBlur = radius * 0.28;
    pen.shadowOffsetX = radius * 0.07;
    pen.shadowOffsetY = radius * 0.14;
    pen.fillStyle = colour === "b" ? "#111" : "#d8d1c4";
    pen.beginPath();
    pen.arc(c, c, radius * 0.97, 0, 7);
    pen.fill();
    pen.restore();
  }
  // Light from the upper left.
  const lx = c - radius * 0.34;
  const ly = c - radius * 0.4;
  const body = pen.createRadialGradient(lx, ly, radius * 0.05, c, c, radius * 1.06);
  if (colour === "b") {
    body.addColorStop(0, "#66666c");
    body.addColorStop(0.28, "#38383d");
    body.addColorStop(0.7, "#1a1a1d");
    body.addColorStop(1, "#08080a");
  } else {
    body.addColorStop(0, "#ffffff");
    body.addColorStop(0.5, dark ? "#f1ede6" : "#f8f5f0");
    body.addColorStop(0.82, dark ? "#dcd5c9" : "#e6dfd3");
    body.addColorStop(1, dark ? "#b5ad9f" : "#bfb6a6");
  }
  pen.fillStyle = body;
  pen.beginPath();
  pen.arc(c, c, radius, 0, 7);
  pen.fill();
  if (radius > 7) {
    const shine = pen.createRadialGradient(lx, ly, 0, lx, ly, radius * 0.5);
    shine.addColorStop(0, colour === "b" ? "rgba(255,255,255,0.34)" : "rgba(255,255,255,0.95)");
    shine.addColorStop(1, "rgba(255,255,255,0)");
    pen.fillStyle = shine;
    pen.beginPath();
    pen.arc(lx, ly, radius * 0.5, 0, 7);
    pen.fill();
  }
  return canvas;
}

const stones = new Map<string, HTMLCanvasElement>();

/** A stone with its shadow; the canvas is a little larger than the stone, which is in its middle. */
export function stoneOf(colour: Colour, radius: number, skin: Skin): HTMLCanvasElement {
  const key = `${colour}${radius.toFixed(2)}${skin.name}`;
  let stone = stones.get(key);
  if (!stone) {
    if (stones.size > 64) stones.clear();
    stone = paintStone(colour, radius, skin.name === "dark");
    stones.set(key, stone);
  }
  return stone;
}

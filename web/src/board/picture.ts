// SPDX-License-Identifier: MIT
// Scenes as files, made in the page: SVG, PNG, and a GIF of a whole game.

import { isDark } from "../base/prefs";
import { gifOf } from "./gif";
import { aspect, layoutOf, WHOLE } from "./layout";
import { paint } from "./paint";
import type { Scene } from "./scene";
import { skins, type Skin } from "./skin";
import { svgOf } from "./svg";

const PNG_WIDTH = 1200;
const GIF_WIDTH = 480;

function draw(scene: Scene, width: number, skin: Skin): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round(width * aspect(scene.width, scene.height, scene.coordinates));
  const layout = layoutOf(scene.width, scene.height, canvas.width, canvas.height, scene.coordinates, WHOLE);
  paint(canvas.getContext("2d", { willReadFrequently: true })!, layout, scene, skin, 1);
  return canvas;
}

export function svgFile(scene: Scene): Blob {
  return new Blob([svgOf(scene)], { type: "image/svg+xml" });
}

export function pngFile(scene: Scene): Promise<Blob> {
  const canvas = draw(scene, PNG_WIDTH, skins[isDark() ? "dark" : "light"]);
  return new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error("no picture"))), "image/png"));
}

export function gifFile(scenes: readonly Scene[]): Blob {
  const frames = scenes.map((scene) => {
    const canvas = draw(scene, GIF_WIDTH, skins.print);
    return canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
  });
  return gifOf(frames, frames.map((_, i) => (i === frames.length - 1 ? 4000 : 600)));
}

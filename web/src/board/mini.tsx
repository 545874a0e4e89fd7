// SPDX-License-Identifier: MIT
// A board to look at only: small, still, the same paint.

import { useEffect, useRef } from "preact/hooks";
import { isDark } from "../base/prefs";
import { aspect, layoutOf, WHOLE } from "./layout";
import { paint } from "./paint";
import type { Scene } from "./scene";
import { skins } from "./skin";

export function MiniBoard({ scene, size, label }: { scene: Scene; size: number; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = isDark();
  const height = Math.round(size * aspect(scene.width, scene.height, scene.coordinates));
  useEffect(() => {
    const target = canvas.current;
    const pen = target?.getContext("2d");
    if (!target || !pen) return;
    const dpr = Math.min(3, window.devicePixelRatio || 1);
    target.width = Math.round(size * dpr);
    target.height = Math.round(height * dpr);
    const layout = layoutOf(scene.width, scene.height, target.width, target.height, scene.coordinates, WHOLE);
    paint(pen, layout, scene, skins[dark ? "dark" : "light"], dpr);
  }, [scene, size, height, dark]);
  return <canvas ref={canvas} class="mini-board" role="img" aria-label={label} style={{ width: `${size}px`, height: `${height}px` }} />;
}

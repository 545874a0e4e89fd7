// SPDX-License-Identifier: MIT
// Layout: where the points of a board lie in a rectangle of pixels, with zoom and pan.

import { inside, type Point } from "../base/point";

/** Zoom 1 shows the whole board; the centre is in points, as a fraction of the board. */
export interface Camera {
  readonly zoom: number;
  readonly cx: number;
  readonly cy: number;
}

export const WHOLE: Camera = { zoom: 1, cx: 0.5, cy: 0.5 };

/* In cells. */
const HALF_STONE = 0.5;
const RIM = 0.72;
const RIM_COORDINATES = 1.04;
/** And for each line of the longer side: names that can be read are wider than the cells of a large board. */
const RIM_NAMES = 0.023;

/** Room around the outer lines, in cells: half a stone, and the coordinates. */
function rimOf(width: number, height: number, coordinates: boolean): number {
  return coordinates ? Math.max(RIM_COORDINATES, HALF_STONE + RIM_NAMES * Math.max(width, height)) : RIM;
}

/** What of it no stone reaches: the place of the names. */
export function roomForNames(layout: Layout): number {
  return (rimOf(layout.width, layout.height, true) - HALF_STONE) * layout.cell;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly pixelWidth: number;
  readonly pixelHeight: number;
  /** Pixels from line to line. */
  readonly cell: number;
  /** Pixels of the point a1. */
  readonly x0: number;
  readonly y0: number;
}

/** Pixels that a board of this size wants for each pixel of width. */
export function aspect(width: number, height: number, coordinates: boolean): number {
  const rim = 2 * rimOf(width, height, coordinates);
  return (height - 1 + rim) / (width - 1 + rim);
}

/** A finger needs about 24 pixels: zooming ends where a cell has twice that. */
export function maxZoom(fit: number): number {
  return Math.max(1, 52 / fit);
}

export function fitCell(
  width: number,
  height: number,
  pixelWidth: number,
  pixelHeight: number,
  coordinates: boolean,
): number {
  const rim = 2 * rimOf(width, height, coordinates);
  return Math.min(pixelWidth / (width - 1 + rim), pixelHeight / (height - 1 + rim));
}

export function layoutOf(
  width: number,
  height: number,
  pixelWidth: number,
  pixelHeight: number,
  coordinates: boolean,
  camera: Camera,
): Layout {
  const cell = fitCell(width, height, pixelWidth, pixelHeight, coordinates) * camera.zoom;
  const rim = rimOf(width, height, coordinates);
  const place = (n: number, pixels: number, centre: number): number => {
    const whole = (n - 1 + 2 * rim) * cell;
    if (whole <= pixels + 0.5) return (pixels - (n - 1) * cell) / 2;
    const start = pixels / 2 - centre * (n - 1) * cell;
    return Math.min(rim * cell, Math.max(pixels - (n - 1 + rim) * cell, start));
  };
  const x0 = place(width, pixelWidth, camera.cx);
  const top = place(height, pixelHeight, 1 - camera.cy);
  return { width, height, pixelWidth, pixelHeight, cell, x0, y0: top + (height - 1) * cell };
}

export function pixelOf(layout: Layout, p: Point): { x: number; y: number } {
  return { x: layout.x0 + p.x * layout.cell, y: layout.y0 - p.y * layout.cell };
}

/** The point nearest to a pixel; null off the board. */
export function pointAt(layout: Layout, x: number, y: number): Point | null {
  const p = {
    x: Math.round((x - layout.x0) / layout.cell),
    y: Math.round((layout.y0 - y) / layout.cell),
  };
  return inside(p, layout.width, layout.height) ? p : null;
}

/** The camera that keeps what lies under a pixel there while it zooms. */
export function zoomAt(layout: Layout, camera: Camera, fit: number, x: number, y: number, factor: number): Camera {
  const zoom = Math.min(maxZoom(fit), Math.max(1, camera.zoom * factor));
  const cell = fit * zoom;
  const px = (x - layout.x0) / layout.cell;
  const py = (layout.y0 - y) / layout.cell;
  const cx = (px + (layout.pixelWidth / 2 - x) / cell) / Math.max(1, layout.width - 1);
  const cy = (py - (layout.pixelHeight / 2 - y) / cell) / Math.max(1, layout.height - 1);
  return clampCamera({ zoom, cx, cy });
}

export function clampCamera(camera: Camera): Camera {
  const clamp = (v: number): number => Math.min(1, Math.max(0, v));
  return { zoom: camera.zoom, cx: clamp(camera.cx), cy: clamp(camera.cy) };
}

/** What the camera really shows, after the edges have had their say: panning starts from here. */
export function settled(layout: Layout, camera: Camera): Camera {
  return clampCamera({
    zoom: camera.zoom,
    cx: (layout.pixelWidth / 2 - layout.x0) / layout.cell / Math.max(1, layout.width - 1),
    cy: (layout.y0 - layout.pixelHeight / 2) / layout.cell / Math.max(1, layout.height - 1),
  });
}

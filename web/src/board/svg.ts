// SPDX-License-Identifier: MIT
// A scene as an SVG file: for print and for the web, flat and exact.

import { columnName, type Point } from "../base/point";
import { starPoints, type Scene } from "./scene";
import { placeSigns, SIGN_PEN, signPaths, textSize, type PlacedSign } from "./sign";
import { skins } from "./skin";

const CELL = 32;
const RIM = 34;
const STONE = 14.6;

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function signAt(sign: PlacedSign, x: number, y: number, wood: string): string {
  const below = sign.on ? "" : `<circle cx="${x}" cy="${y}" r="${STONE * sign.radius}" fill="${wood}"/>`;
  if (sign.kind !== "label") {
    return `${below}<path d="${signPaths[sign.kind]}" transform="translate(${x} ${y})scale(${STONE})" stroke="${sign.ink}" stroke-width="${SIGN_PEN}" fill="none" stroke-linecap="round" stroke-linejoin="round"/>`;
  }
  const size = STONE * sign.radius * textSize(sign.text);
  return `${below}<text x="${x}" y="${y + size * 0.36}" font-size="${size}" fill="${sign.ink}">${escaped(sign.text)}</text>`;
}

export function svgOf(scene: Scene): string {
  const skin = skins.print;
  const width = (scene.width - 1) * CELL + 2 * RIM;
  const height = (scene.height - 1) * CELL + 2 * RIM;
  const x = (p: Point): number => RIM + p.x * CELL;
  const y = (p: Point): number => height - RIM - p.y * CELL;
  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" text-anchor="middle">`,
    `<rect width="${width}" height="${height}" rx="6" fill="${skin.wood[0]}"/>`,
  ];
  const lines: string[] = [];
  for (let i = 0; i < scene.width; i++) lines.push(`M${RIM + i * CELL} ${RIM}V${height - RIM}`);
  for (let i = 0; i < scene.height; i++) lines.push(`M${RIM} ${RIM + i * CELL}H${width - RIM}`);
  out.push(`<path d="${lines.join("")}" stroke="${skin.line}" stroke-width="1" fill="none" stroke-linecap="square"/>`);
  for (const p of starPoints(scene.width, scene.height)) {
    out.push(`<circle cx="${x(p)}" cy="${y(p)}" r="3" fill="${skin.line}"/>`);
  }
  if (scene.coordinates) {
    out.push(`<g font-size="11" fill="${skin.label}">`);
    for (let i = 0; i < scene.width; i++) out.push(`<text x="${RIM + i * CELL}" y="${height - 6}">${columnName(i)}</text>`);
    for (let i = 0; i < scene.height; i++) out.push(`<text x="10" y="${height - RIM - i * CELL + 4}">${i + 1}</text>`);
    out.push("</g>");
  }
  const { signs, has: isSigned } = placeSigns(scene, skin);
  scene.stones.forEach((s, i) => {
    const fill = s.colour === "b" ? "#1c1c1f" : "#fbf9f5";
    out.push(`<circle cx="${x(s)}" cy="${y(s)}" r="${STONE}" fill="${fill}" stroke="#1c1c1f" stroke-width=".8"/>`);
    if (isSigned(s)) return;
    const number = scene.numbersFrom === null ? 0 : i + scene.numbersFrom;
    const ink = s.colour === "b" ? "#fbf9f5" : "#1c1c1f";
    if (number > 0) {
      const size = number > 99 ? 11 : 14;
      out.push(`<text x="${x(s)}" y="${y(s) + size * 0.36}" font-size="${size}" fill="${ink}">${number}</text>`);
    } else if (scene.last?.x === s.x && scene.last.y === s.y) {
      out.push(`<circle cx="${x(s)}" cy="${y(s)}" r="6" fill="none" stroke="${skin.accent}" stroke-width="2.2"/>`);
    }
  });
  for (const b of scene.branches) {
    out.push(`<circle cx="${x(b)}" cy="${y(b)}" r="15" fill="${skin.wood[0]}" fill-opacity="${b.text === "" ? 0.35 : 0.9}" stroke="${skin.label}" stroke-width="1.1"/>`);
    if (b.text) out.push(`<text x="${x(b)}" y="${y(b) + 4.7}" font-size="13" font-weight="600" fill="${skin.label}">${b.text}</text>`);
  }
  for (const p of scene.forbidden) {
    out.push(`<path d="M${x(p) - 5} ${y(p) - 5}l10 10m0-10l-10 10" stroke="${skin.forbidden}" stroke-width="2.4"/>`);
  }
  for (const sign of signs) out.push(signAt(sign, x(sign), y(sign), skin.wood[0]));
  const [from, to] = [scene.row[0], scene.row[scene.row.length - 1]];
  if (from && to) {
    out.push(`<path d="M${x(from)} ${y(from)}L${x(to)} ${y(to)}" stroke="${skin.accent}" stroke-width="3.5" stroke-linecap="round"/>`);
  }
  out.push("</svg>");
  return `${out.join("\n")}\n`;
}

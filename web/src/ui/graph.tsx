// SPDX-License-Identifier: MIT
// Graph: uPlot in the colours of the page. The data are columns: x first, then one a curve.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { isDark } from "../base/prefs";

export type Columns = readonly (readonly (number | null)[])[];

export interface Curve {
  readonly label: string;
  readonly colour: string;
  readonly fill?: string;
  readonly points?: boolean;
  /** Drawn as loose dots instead of a line. */
  readonly dots?: boolean;
}

interface Props {
  readonly label: string;
  readonly data: Columns;
  readonly curves: readonly Curve[];
  readonly height: number;
  readonly range?: readonly [number, number];
  /** How a value is written on the axis. */
  readonly text: (value: number) => string;
  readonly xText?: (value: number) => string;
  /** A line at this x. */
  readonly here?: number | null;
  readonly onPick?: (x: number) => void;
  readonly legend?: boolean;
  readonly testid?: string;
}

function ink(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function plotOptions(p: Props, width: number, here: () => number | null): uPlot.Options {
  const axis = { stroke: ink("--soft"), grid: { stroke: ink("--hair"), width: 1 }, ticks: { show: false }, font: "12px system-ui", gap: 4 };
  return {
    width,
    height: p.height,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      x: { time: false },
      y: p.range ? { range: [p.range[0], p.range[1]] } : {},
    },
    axes: [
      { ...axis, size: 24, values: (_, all) => all.map((v) => (p.xText ? p.xText(v) : Number.isInteger(v) ? String(v) : "")) },
      { ...axis, size: 50, values: (_, all) => all.map(p.text) },
    ],
    series: [
      {},
      ...p.curves.map((c) => ({
        label: c.label,
        stroke: c.colour,
        width: c.dots ? 0 : 2,
        spanGaps: true,
        ...(c.fill ? { fill: c.fill } : {}),
        points: { show: c.dots === true || c.points === true, size: c.dots ? 9 : 5, fill: c.colour },
      })),
    ],
    hooks: {
      draw: [
        (u) => {
          const x = here();
          if (x === null) return;
          const at = Math.round(u.valToPos(x, "x", true));
          u.ctx.save();
          u.ctx.strokeStyle = ink("--warm");
          u.ctx.lineWidth = 2;
          u.ctx.beginPath();
          u.ctx.moveTo(at, u.bbox.top);
          u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
          u.ctx.stroke();
          u.ctx.restore();
        },
      ],
    },
  };
}

export function Graph(p: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(p);
  latest.current = p;
  const dark = isDark();
  const shape = p.curves.map((c) => c.label + c.colour).join();

  useEffect(() => {
    const room = host.current!;
    const made = new uPlot(
      plotOptions(latest.current, room.clientWidth, () => latest.current.here ?? null),
      latest.current.data as uPlot.AlignedData,
      room,
    );
    plot.current = made;
    const pick = (): void => {
      const i = made.cursor.idx;
      const x = i == null ? undefined : latest.current.data[0]?.[i];
      if (x != null) latest.current.onPick?.(x);
    };
    made.over.addEventListener("click", pick);
    const watcher = new ResizeObserver(() => made.setSize({ width: room.clientWidth, height: latest.current.height }));
    watcher.observe(room);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [dark, shape, p.height]);
  useEffect(() => plot.current?.setData(p.data as uPlot.AlignedData), [p.data, p.here]);

  return (
    <figure class="graph" role="img" aria-label={p.label} data-testid={p.testid} data-points={p.data[0]?.length ?? 0}>
      <div ref={host} />
      {p.legend && (
        <figcaption>
          {p.curves.map((c) => (
            <span key={c.label}>
              <svg width="14" height="8" aria-hidden="true">
                <path d="M0 4h14" stroke={c.colour} stroke-width="3" />
              </svg>
              {c.label}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

// SPDX-License-Identifier: MIT
// Icons: strokes on a 24 by 24 grid, drawn for this page.

const paths = {
  play: "M6 6.5a2 2 0 1 0 .01 0M17.5 17.5a2 2 0 1 0 .01 0M12 12a2 2 0 1 0 .01 0M3 3h18v18H3z",
  analyse: "M4 19V9m5.3 10V4m5.4 15v-7M20 19V7",
  review: "M3 16l5-6 4 4 4-8 5 6M3 21h18",
  library: "M5 4h4v16H5zM11 4h4v16h-4zM17.5 5.2l3.4-.8 2 14.8-3.4.8z",
  problems: "M9 9a3.2 3.2 0 1 1 4.6 2.9c-1 .5-1.6 1.2-1.6 2.6M12 18.4v.1M12 2.5a9.5 9.5 0 1 0 .01 0",
  arena: "M7 4h10v5a5 5 0 0 1-10 0zM7 5H3.5c0 3 1 5 3.7 5M17 5h3.5c0 3-1 5-3.7 5M12 14v4M8 20.5h8",
  learning: "M3 20c4 0 5-13 9-13s5 9 9 9M3 4v16.5h18",
  plus: "M12 5v14M5 12h14",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z",
  flag: "M5 21V4M5 4.5c5-3 8 2.5 14 0v9c-6 2.5-9-3-14 0",
  pause: "M8 5v14M16 5v14",
  go: "M7 4.5v15l12-7.5z",
  stop: "M6 6h12v12H6z",
  first: "M18 5l-8 7 8 7M6 5v14",
  back: "M15 5l-8 7 8 7",
  forward: "M9 5l8 7-8 7",
  last: "M6 5l8 7-8 7M18 5v14",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.8a2.2 2.2 0 1 0 .01 0M8 14.8a2.2 2.2 0 1 0 .01 0",
  sun: "M12 8a4 4 0 1 0 .01 0M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  help: "M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1.1-1.4 2.3M12 17.4v.1M12 2.5a9.5 9.5 0 1 0 .01 0",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l4.5 4.5L19 7",
  warning: "M12 3.5L22 20H2zM12 10v4.5M12 17.4v.1",
  info: "M12 2.5a9.5 9.5 0 1 0 .01 0M12 11v6M12 7.4v.1",
  search: "M10.5 4a6.5 6.5 0 1 0 .01 0M15.5 15.5L21 21",
  download: "M12 4v11M7 10.5l5 5 5-5M4 20h16",
  upload: "M12 16V5M7 9.5l5-5 5 5M4 20h16",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  edit: "M4 20h4L20 8l-4-4L4 16z",
  swap: "M7 4L3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
  globe: "M12 2.5a9.5 9.5 0 1 0 .01 0M2.5 12h19M12 2.5c3 3 4 6 4 9.5s-1 6.5-4 9.5M12 2.5c-3 3-4 6-4 9.5s1 6.5 4 9.5",
  eye: "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 0 .01 0",
  target: "M12 2.5a9.5 9.5 0 1 0 .01 0M12 7.2a4.8 4.8 0 1 0 .01 0M12 11.4v1.2",
  shield: "M12 3l8 3v6c0 5-3.5 8-8 9.5C7.5 20 4 17 4 12V6z",
  image: "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5M15.5 8.5a1.2 1.2 0 1 0 .01 0",
  more: "M5 12h.1M12 12h.1M19 12h.1",
  fast: "M4 5l8 7-8 7zM13 5l8 7-8 7z",
  handshake: "M3 12l4-5h4l3 3M21 12l-4-5h-4l-5 5 2 2 3-2 5 5M7 14l4 4h3",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** 五連, drawn: many a system has no font for it. */
export function Kanji() {
  return (
    <svg class="icon kanji" width="38" height="18" viewBox="0 0 51 24" aria-hidden="true" focusable="false">
      <path d="M4 4h16M11.5 4L8.6 21M5 11.5h12.5L16.6 21M2 21h20" />
      <path d="M30.5 3l2.6 2.6M29 10.5h4.4v7M29 21.5l4.4-4q2.6 3.6 7 3.7L50 21.5M35.5 4.3h14M37.3 7.2h10.4v6.6H37.3zM37.3 10.5h10.4M35.3 16.4h14.4M42.5 2v16.8" />
    </svg>
  );
}

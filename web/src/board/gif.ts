// SPDX-License-Identifier: MIT
// An animated GIF from pictures: the 256 colours that occur most, LZW as the format asks (GIF89a).

const COLOURS = 256;
const BITS = 8;

/** Colours are counted in steps of 8 a channel: 15 bits name one. */
function nameOf(r: number, g: number, b: number): number {
  return ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
}

function spread(five: number): number {
  return (five << 3) | (five >> 2);
}

function paletteOf(frames: readonly ImageData[]): { colours: number[]; index: Uint8Array } {
  const counts = new Uint32Array(32768);
  for (const { data } of frames) {
    for (let i = 0; i < data.length; i += 4) counts[nameOf(data[i]!, data[i + 1]!, data[i + 2]!)]!++;
  }
  const used = [...counts.keys()].filter((c) => counts[c]! > 0);
  const colours = used.sort((a, b) => counts[b]! - counts[a]!).slice(0, COLOURS);
  const index = new Uint8Array(32768);
  for (const c of used) {
    let best = 0;
    let least = Infinity;
    colours.forEach((p, i) => {
      const dr = (c >> 10) - (p >> 10);
      const dg = ((c >> 5) & 31) - ((p >> 5) & 31);
      const db = (c & 31) - (p & 31);
      const far = dr * dr + dg * dg + db * db;
      if (far < least) {
        least = far;
        best = i;
      }
    });
    index[c] = best;
  }
  return { colours, index };
}

class Bytes {
  readonly out: number[] = [];
  byte(...all: number[]): void {
    for (const b of all) this.out.push(b & 255);
  }
  word(n: number): void {
    this.byte(n, n >> 8);
  }
  text(s: string): void {
    for (const c of s) this.byte(c.charCodeAt(0));
  }
}

/** Codes grow from 9 to 12 bits; when the table is full it is cleared and begins again. */
function packLzw(pixels: Uint8Array, to: Bytes): void {
  const clear = 1 << BITS;
  const end = clear + 1;
  let block: number[] = [];
  let bits = 0;
  let held = 0;
  let width = BITS + 1;
  let next = end + 1;
  let table = new Map<number, number>();
  const flush = (): void => {
    if (block.length > 0) to.byte(block.length, ...block);
    block = [];
  };
  const put = (code: number): void => {
    held |= code << bits;
    bits += width;
    while (bits >= 8) {
      block.push(held & 255);
      if (block.length === 255) flush();
      held >>>= 8;
      bits -= 8;
    }
  };
  to.byte(BITS);
  put(clear);
  let prefix = pixels[0]!;
  for (let i = 1; i < pixels.length; i++) {
    const key = (prefix << 8) | pixels[i]!;
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    table.set(key, next++);
    if (next > 1 << width && width < 12) width++;
    if (next === 4096) {
      put(clear);
      table = new Map();
      next = end + 1;
      width = BITS + 1;
    }
    prefix = pixels[i]!;
  }
  put(prefix);
  put(end);
  if (bits > 0) block.push(held & 255);
  flush();
  to.byte(0);
}

/** Frames of one size, each shown so long; it runs for ever. */
export function gifOf(frames: readonly ImageData[], delaysMs: readonly number[]): Blob {
  const first = frames[0]!;
  const { colours, index } = paletteOf(frames);
  const to = new Bytes();
  to.text("GIF89a");
  to.word(first.width);
  to.word(first.height);
  to.byte(0xf7, 0, 0);
  for (let i = 0; i < COLOURS; i++) {
    const c = colours[i] ?? 0;
    to.byte(spread(c >> 10), spread((c >> 5) & 31), spread(c & 31));
  }
  to.byte(0x21, 0xff, 11);
  to.text("NETSCAPE2.0");
  to.byte(3, 1, 0, 0, 0);
  frames.forEach(({ data, width, height }, f) => {
    to.byte(0x21, 0xf9, 4, 4);
    to.word(Math.round((delaysMs[f] ?? 500) / 10));
    to.byte(0, 0, 0x2c, 0, 0, 0, 0);
    to.word(width);
    to.word(height);
    to.byte(0);
    const pixels = new Uint8Array(width * height);
    for (let i = 0; i < pixels.length; i++) pixels[i] = index[nameOf(data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!)]!;
    packLzw(pixels, to);
  });
  to.byte(0x3b);
  return new Blob([new Uint8Array(to.out)], { type: "image/gif" });
}

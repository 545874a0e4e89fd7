// SPDX-License-Identifier: MIT
// Numbers and times as people read them.

export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  const tenths = left < 10_000;
  const total = tenths ? Math.floor(left / 100) / 10 : Math.ceil(left / 1000);
  const minutes = Math.floor(total / 60);
  const seconds = total - minutes * 60;
  const text = tenths ? seconds.toFixed(1).padStart(4, "0") : String(Math.floor(seconds)).padStart(2, "0");
  return `${minutes}:${text}`;
}

export function shortNumber(n: number): string {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M`;
  if (n >= 1e4) return `${Math.round(n / 1e3)} k`;
  return String(Math.round(n));
}

/** A forced win of so many plies as people count it: in moves of the winner. */
export function winnersMoves(plies: number): number {
  return Math.ceil(Math.abs(plies) / 2);
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(value > 0.995 || value < 0.005 ? 1 : 0)}%`;
}

export function dateText(iso: string, language: string, dateStyle: "medium" | "short" = "medium"): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(language, { dateStyle, timeStyle: "short" }).format(date);
}

/** Hands a file to the browser; what no file may be called by is left out of its name. */
export function saveFile(name: string, data: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name.replace(/[\\/:*?"<>|]/g, "_");
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

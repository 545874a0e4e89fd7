// SPDX-License-Identifier: MIT
// Prefs: what the page remembers on this device. A device that forgets (private windows) is fine.

import { effect, signal, type Signal } from "@preact/signals";

type Store = "sessionStorage" | "localStorage";

function recall<T>(key: string, fallback: T, stores: readonly Store[]): T {
  try {
    const text = stores.map((s) => window[s].getItem(`goren.${key}`)).find((found) => found !== null);
    return text === undefined ? fallback : (JSON.parse(text!) as T);
  } catch {
    return fallback;
  }
}

/** A signal that outlives the page; the first store that knows it is believed. */
export function kept<T>(key: string, fallback: T, stores: readonly Store[] = ["localStorage"]): Signal<T> {
  const value = signal(recall(key, fallback, stores));
  effect(() => {
    const text = JSON.stringify(value.value);
    try {
      for (const s of stores) window[s].setItem(`goren.${key}`, text);
    } catch {
      // Nothing is lost but the memory of it.
    }
  });
  return value;
}

export type Theme = "auto" | "light" | "dark";

export const theme = kept<Theme>("theme", "auto");
export const coordinates = kept("coordinates", true);
export const numbers = kept("numbers", false);
export const confirmTouch = kept("confirm", true);
export const sound = kept("sound", true);
export const showForbidden = kept("forbidden", true);
export const showBranches = kept("branches", true);
/** In which games were taken out last. */
export const exportFormat = kept("exportFormat", "sgf");
/** The name that games are listed under; given by the server. */
export const clientToken = kept<string | null>("client", null);
/** Each tab has a game of its own; a fresh one takes up the newest. */
export const currentGame = kept<string | null>("game", null, ["sessionStorage", "localStorage"]);
export const visited = kept("visited", false);

const darkWanted = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(darkWanted.matches);
darkWanted.addEventListener("change", (e) => (systemDark.value = e.matches));

export function isDark(): boolean {
  return theme.value === "dark" || (theme.value === "auto" && systemDark.value);
}

effect(() => {
  document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
});

export function calmMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

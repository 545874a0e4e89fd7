// SPDX-License-Identifier: MIT
// Prefs: what the page remembers on this device. A device that forgets (private windows) is fine.

import { effect, signal, type Signal } from "@preact/signals";

function recall<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`goren.${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** A signal that outlives the page. */
export function kept<T>(key: string, fallback: T): Signal<T> {
  const value = signal(recall(key, fallback));
  effect(() => {
    const text = JSON.stringify(value.value);
    try {
      localStorage.setItem(`goren.${key}`, text);
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
/** The name that games are listed under; given by the server. */
export const clientToken = kept<string | null>("client", null);
export const currentGame = kept<string | null>("game", null);
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

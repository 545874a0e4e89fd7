// SPDX-License-Identifier: MIT
// Shortcuts: every view names its own; the help lists those that work now.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { once } from "./guarded";

export interface Shortcut {
  readonly key: string;
  readonly what: string;
  readonly act: () => unknown;
}

export const active = signal<readonly (readonly Shortcut[])[]>([]);

export function useKeys(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map((s) => s.key + s.what).join();
  useEffect(() => {
    const mine = shortcuts.map((s) => ({
      key: s.key,
      what: s.what,
      act: once(() => latest.current.find((l) => l.key === s.key)?.act()),
    }));
    active.value = [...active.value, mine];
    return () => void (active.value = active.value.filter((list) => list !== mine));
  }, [names]);
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(input|textarea|select)$/i.test(target.tagName);
}

addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
  if (typing(e.target) || document.querySelector("dialog[open]")) return;
  const found = active.value.flat().find((s) => s.key === e.key);
  if (!found) return;
  e.preventDefault();
  found.act();
});

// SPDX-License-Identifier: MIT
// Router: which view the address names. "#/review/b3c1" is the view review with one argument.

import { signal } from "@preact/signals";

export const views = ["play", "analyse", "review", "library", "problems", "arena", "learning"] as const;
export type ViewName = (typeof views)[number];

export interface Route {
  readonly view: ViewName;
  readonly args: readonly string[];
}

/** An address that is no good is taken as it stands. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function parse(hash: string): Route {
  const [name, ...args] = hash.replace(/^#\/?/, "").split("/").map(plain);
  const view = views.find((v) => v === name) ?? "play";
  return { view, args: args.filter((a) => a !== "") };
}

let heard = location.hash;
export const route = signal<Route>(parse(heard));
addEventListener("hashchange", () => {
  heard = location.hash;
  route.value = parse(heard);
});

export function address(view: ViewName, ...args: readonly (string | number)[]): string {
  return `#/${[view, ...args].map((a) => encodeURIComponent(String(a))).join("/")}`;
}

export function go(view: ViewName, ...args: readonly (string | number)[]): void {
  location.hash = address(view, ...args);
}

/** Changes the address within a view, without a new entry in the history. Who has gone on in the meantime,
 * to another view or by a link that is not yet heard of, is not called back. */
export function settle(view: ViewName, ...args: readonly (string | number)[]): void {
  const hash = address(view, ...args);
  if (location.hash !== heard || hash === heard || route.value.view !== view) return;
  history.replaceState(null, "", hash);
  heard = location.hash;
  route.value = parse(hash);
}

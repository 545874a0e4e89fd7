// SPDX-License-Identifier: MIT
// What a press does: once at a time, and with an ear for the server's no.

import { explain } from "../net/explain";
import { Refusal } from "../net/link";
import { notify } from "./announce";

/** Does something that the server may refuse; a refusal is shown to the reader and that is all. */
export async function guarded(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    // A lost connection is on the screen already.
    if (e.code !== "lost" && e.code !== "cancelled") notify(explain.refusal(e), "bad");
  }
}

/** What is pressed again while it is still being done is not begun a second time. */
export function once(act: () => unknown): () => void {
  let busy = false;
  return () => {
    if (busy) return;
    const work = act();
    if (!(work instanceof Promise)) return;
    busy = true;
    void work.finally(() => (busy = false));
  };
}

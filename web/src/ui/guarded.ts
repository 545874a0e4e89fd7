// SPDX-License-Identifier: MIT
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

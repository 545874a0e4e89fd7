// SPDX-License-Identifier: MIT
// A question about the position on the board that takes the engine a while. Another question of its kind
// calls it off, and so does another position: what is still said of the old one is not heard.

import { effect, signal, untracked } from "@preact/signals";
import { explain } from "../net/explain";
import { Refusal, type Task } from "../net/link";
import { announce } from "../ui/announce";
import { at, base } from "./model";
import { aboutNode } from "./tree";

export function question<What, Reply>(
  send: (about: ReturnType<typeof aboutNode>, what: What) => Task<Reply>,
  sentence: (what: What, reply: Reply) => string,
) {
  const asked = signal<What | null>(null);
  const answer = signal<{ readonly what: What; readonly reply: Reply } | { readonly error: string } | null>(null);
  let cancel: (() => void) | null = null;

  function stop(): void {
    cancel?.();
    cancel = null;
    asked.value = null;
  }

  effect(() => {
    at.value;
    untracked(stop);
    answer.value = null;
  });

  async function ask(what: What): Promise<void> {
    stop();
    answer.value = null;
    const work = send(aboutNode(base.value, at.value), what);
    const mine = (): boolean => cancel === work.cancel;
    asked.value = what;
    cancel = work.cancel;
    try {
      const reply = await work.reply;
      if (!mine()) return;
      answer.value = { what, reply };
      announce(sentence(what, reply));
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      if (mine() && e.code !== "cancelled" && e.code !== "lost") answer.value = { error: explain.refusal(e) };
    } finally {
      if (mine()) stop();
    }
  }

  /** A second press of the same button stops it. */
  const press = (what: What): void => (asked.value === what ? stop() : void ask(what));
  return { asked, answer, press };
}

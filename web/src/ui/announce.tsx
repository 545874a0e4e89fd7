// SPDX-License-Identifier: MIT
// What is said aloud by a screen reader, and the short notes that appear at the foot of the page.

import { signal } from "@preact/signals";
import { t } from "../i18n";
import { linkState } from "../net/link";
import { Icon } from "./icon";

const spoken = signal("");

/** Said politely, after whatever is being said. The same words twice are said twice. */
export function announce(text: string): void {
  spoken.value = spoken.value === text ? `${text}\u00a0` : text;
}

interface Note {
  readonly id: number;
  readonly text: string;
  readonly kind: "info" | "bad";
  /** What a press does before the note goes. */
  readonly act?: () => void;
}
const notes = signal<readonly Note[]>([]);
let nextNote = 1;

export function notify(text: string, kind: Note["kind"] = "info", ms = kind === "bad" ? 7000 : 4000, act?: () => void): void {
  const note = { id: nextNote++, text, kind, ...(act ? { act } : {}) };
  notes.value = [...notes.value.filter((n) => n.text !== text).slice(-2), note];
  setTimeout(() => dismiss(note.id), ms);
}

function dismiss(id: number): void {
  notes.value = notes.value.filter((n) => n.id !== id);
}

/** How many dialogs are open: they lie over everything else, so the notes are shown in them. */
export const dialogs = signal(0);

export function Notes() {
  return (
    <div class="notes" role="alert">
      {linkState.value === "lost" && (
        <p class="note bad" data-testid="lost">
          <Icon name="warning" />
          <span>{t("link.lost")}</span>
        </p>
      )}
      {notes.value.map((note) => (
        <button key={note.id} type="button" class={`note ${note.kind}`} onClick={() => {
            note.act?.();
            dismiss(note.id);
          }}>
          <Icon name={note.kind === "bad" ? "warning" : "info"} />
          <span>{note.text}</span>
        </button>
      ))}
    </div>
  );
}

export function Announcer() {
  return (
    <>
      <div class="unseen" aria-live="polite" role="status" data-testid="spoken">
        {spoken.value}
      </div>
      {dialogs.value === 0 && <Notes />}
    </>
  );
}

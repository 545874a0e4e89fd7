// SPDX-License-Identifier: MIT
// Files that a reader chooses, as the server takes them.

import { t } from "../i18n";
import { notify } from "./announce";

/** Base64 is a third longer, and a message has a mebibyte at most. */
const MAX_FILE = 750_000;

/** Its bytes as base64; null, with a word to the reader, if it is too large. */
export async function fileText(file: File): Promise<string | null> {
  if (file.size > MAX_FILE) {
    notify(t("library.tooLarge", { name: file.name }), "bad");
    return null;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const b of bytes) text += String.fromCharCode(b);
  return btoa(text);
}

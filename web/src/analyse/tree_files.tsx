// SPDX-License-Identifier: MIT
// The tree as a file: a commented game, an opening library of one's own.

import { useRef } from "preact/hooks";
import { saveFile } from "../base/format";
import { t } from "../i18n";
import { hello, request } from "../net/link";
import { notify } from "../ui/announce";
import { Button } from "../ui/controls";
import { fileText } from "../ui/files";
import { guarded } from "../ui/guarded";
import { at, base, showFile } from "./model";
import { fileName, isBare, partsOf, rootOf } from "./tree";

/** Brings a file onto the board; false, with a word to the reader, if it cannot be read. */
export async function openFile(file: File): Promise<boolean> {
  let shown = false;
  await guarded(async () => {
    const bytes = await fileText(file);
    if (bytes === null) return;
    const read = await request("tree.read", { name: file.name, base64: bytes });
    showFile(file.name, read);
    shown = true;
    if (read.left_out > 0) notify(t("tree.leftOut", { n: read.left_out }));
    if (read.cut > 0) notify(t("tree.cut", { n: read.cut }), "bad");
    if (read.games > 1) notify(t("tree.games", { n: read.games }));
  });
  return shown;
}

export function TreeFiles() {
  const file = useRef<HTMLInputElement>(null);
  const save = (): Promise<void> =>
    guarded(async () => {
      const b = base.value;
      const written = await request("tree.write", { rules: b.rules, position: b.stones, side: b.side, ...partsOf(rootOf(at.value)), ...(b.file ? { about: b.file.about } : {}), format: "sgf" });
      saveFile(fileName(b), new Blob([written.text ?? ""], { type: written.type }));
    });
  return (
    <div class="row wrap">
      <input ref={file} type="file" class="unseen" tabIndex={-1} aria-label={t("tree.open")} data-testid="tree-file" accept={(hello.value?.formats.in ?? []).map((f) => `.${f}`).concat(".xml").join(",")} onChange={(e) => {
        const chosen = e.currentTarget.files?.[0];
        if (chosen) void openFile(chosen);
        e.currentTarget.value = "";
      }} />
      <Button icon="upload" testid="tree-open" onClick={() => file.current?.click()}>
        {t("tree.open")}
      </Button>
      <Button icon="download" testid="tree-save" disabled={isBare(rootOf(at.value))} onClick={save}>
        {t("tree.save")}
      </Button>
    </div>
  );
}

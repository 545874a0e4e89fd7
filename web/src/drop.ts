// SPDX-License-Identifier: MIT
// Files that are dragged onto the page. The library takes in what is dropped on it; beside a board the first
// one opens in Analyse; nowhere does the browser leave the page for a file.

import { openFile } from "./analyse/tree_files";
import { go, route, type ViewName } from "./base/router";

const withBoard: readonly ViewName[] = ["play", "analyse", "review", "problems"];

function opens(): boolean {
  return withBoard.includes(route.value.view) && !document.querySelector("dialog[open]");
}

async function open(file: File | undefined): Promise<void> {
  if (file && (await openFile(file)) && route.value.view !== "analyse") go("analyse");
}

export function listenForFiles(): void {
  for (const what of ["dragover", "drop"] as const) {
    addEventListener(what, (e) => {
      // Words that are dragged into a field are the browser's.
      if (e.defaultPrevented || !e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      if (!opens()) e.dataTransfer.dropEffect = "none";
      else if (what === "drop") void open(e.dataTransfer.files[0]);
    });
  }
}

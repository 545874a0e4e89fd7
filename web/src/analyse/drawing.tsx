// SPDX-License-Identifier: MIT
// Drawing signs on the board at the node shown: one chooses which, then points to them.

import { toTheBoard } from "../board/board";
import type { SignKind } from "../board/scene";
import { signPaths } from "../board/sign";
import { t } from "../i18n";
import { Button } from "../ui/controls";
import { tool } from "./model";
import { SIGNS } from "./signs";

function choose(kind: SignKind): void {
  tool.value = tool.value === kind ? "play" : kind;
  if (tool.value === kind) toTheBoard();
}

export function Drawing() {
  return (
    <div class="signs" role="group" aria-label={t("sign.draw")}>
      {SIGNS.map((kind) => (
        <Button key={kind} label={t(kind === "label" ? "sign.letter" : `sign.${kind}`)} pressed={tool.value === kind} testid={`draw-${kind}`} onClick={() => choose(kind)}>
          {kind === "label" ? (
            "A"
          ) : (
            <svg viewBox="-.8 -.8 1.6 1.6" aria-hidden="true">
              <path d={signPaths[kind]} />
            </svg>
          )}
        </Button>
      ))}
      <small>{t(SIGNS.some((kind) => kind === tool.value) ? "sign.about" : "sign.draw")}</small>
    </div>
  );
}

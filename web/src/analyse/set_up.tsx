// SPDX-License-Identifier: MIT
// The dialog that sets up a position by rule, size and text. It begins with what is on the board.

import { useState } from "preact/hooks";
import { splitMoves, type Colour } from "../base/point";
import { t } from "../i18n";
import { request } from "../net/link";
import { stonesOf, unordered } from "../play/scene";
import { notify } from "../ui/announce";
import { Button, Dialog, Segments, TextField } from "../ui/controls";
import { guarded } from "../ui/guarded";
import { RulesPicker } from "../ui/rules";
import { at, base, remember, replace } from "./model";
import { aboutNode } from "./tree";

/** "": as the count of the stones says. */
type Side = Colour | "";

function sideByCount(position: string): Colour | null {
  const count = (c: Colour): number => stonesOf(position).filter((s) => s.colour === c).length;
  return ([["b", 0], ["w", 1]] as const).find(([, more]) => count("b") - count("w") === more)?.[0] ?? null;
}

export function SetUp({ onClose }: { readonly onClose: () => void }) {
  const [here] = useState(() => aboutNode(base.value, at.value));
  const [rules, setRules] = useState(here.rules);
  const [text, setText] = useState(here.position);
  const [side, setSide] = useState<Side>(here.side && here.side !== sideByCount(here.position) ? here.side : "");
  const use = (): Promise<void> =>
    guarded(async () => {
      const placed = /[:/]/.test(text);
      const moves = placed ? [] : splitMoves(text);
      if (moves === null) {
        notify(t("setup.bad"), "bad");
        return;
      }
      const line = moves.join("");
      const stones = text.toLowerCase().replace(/[\s,]/g, "");
      // The server refuses what cannot stand on a board, and knows whose turn it is.
      const look = await request("position.look", { rules, position: placed ? stones : line, ...(placed && side ? { side } : {}) });
      if (placed) replace({ rules, stones, side: look.side });
      // Against the order of the moves they are only stones.
      else if (side && side !== look.side) replace({ rules, stones: unordered(stonesOf(line)), side });
      else replace({ rules, stones: "", side: "b" }, moves);
      remember();
      onClose();
    });
  return (
    <Dialog title={t("setup.title")} open onClose={onClose}>
      <RulesPicker value={rules} onChange={setRules} />
      <TextField label={t("setup.position")} testid="position" value={text} placeholder="h8i9g7  ·  b:h8g7/w:i9" onChange={setText} />
      <Segments<Side>
        label={t("setup.side")}
        testid="side"
        value={side}
        choices={[
          { value: "", text: t("setup.sideByCount") },
          { value: "b", text: t("colour.black") },
          { value: "w", text: t("colour.white") },
        ]}
        onChange={setSide}
      />
      <footer>
        <Button kind="primary" testid="use-position" onClick={use}>
          {t("setup.use")}
        </Button>
      </footer>
    </Dialog>
  );
}

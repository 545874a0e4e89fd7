// SPDX-License-Identifier: MIT
// Buttons that save what is shown as a picture.

import { saveFile } from "../base/format";
import { gifFile, pngFile, svgFile } from "../board/picture";
import type { Scene } from "../board/scene";
import { t } from "../i18n";
import { Button } from "../ui/controls";

interface Props {
  /** The scenes of a game; the last is what a single picture shows. */
  readonly frames: () => readonly Scene[];
  readonly name: string;
  readonly film?: boolean;
}

export function Pictures({ frames, name, film = false }: Props) {
  const last = (): Scene => frames().at(-1)!;
  return (
    <div class="row wrap" role="group" aria-label={t("picture.save")}>
      <Button icon="image" testid="svg" onClick={() => saveFile(`${name}.svg`, svgFile(last()))}>
        SVG
      </Button>
      <Button icon="image" testid="png" onClick={() => void pngFile(last()).then((b) => saveFile(`${name}.png`, b))}>
        PNG
      </Button>
      {film && (
        <Button icon="image" testid="gif" onClick={() => saveFile(`${name}.gif`, gifFile(frames()))}>
          GIF
        </Button>
      )}
    </div>
  );
}

// SPDX-License-Identifier: MIT
// The format in which games are taken out, the same everywhere.

import { exportFormat } from "../base/prefs";
import { t } from "../i18n";
import { hello } from "../net/link";
import { Select } from "./controls";

export function FormatSelect() {
  return (
    <Select label={t("library.format")} testid="format" value={exportFormat.value} choices={(hello.value?.formats.out ?? []).map((f) => ({ value: f, text: f }))} onChange={(v) => (exportFormat.value = v)} />
  );
}

// SPDX-License-Identifier: MIT
export function Analyse() {
  return <div class="view" />;
}

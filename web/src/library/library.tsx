// SPDX-License-Identifier: MIT
export function Library() {
  return <div class="view" />;
}

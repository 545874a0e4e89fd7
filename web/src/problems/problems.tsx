// SPDX-License-Identifier: MIT
export function Problems() {
  return <div class="view" />;
}

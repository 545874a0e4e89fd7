// SPDX-License-Identifier: MIT
export function Arena() {
  return <div class="view" />;
}

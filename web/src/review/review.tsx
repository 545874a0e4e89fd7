// SPDX-License-Identifier: MIT
export function Review() {
  return <div class="view" />;
}

// SPDX-License-Identifier: MIT
export function Learning() {
  return <div class="view" />;
}

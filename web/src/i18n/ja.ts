// SPDX-License-Identifier: MIT
import type { Words } from "./index";
import { en } from "./en";
export const ja: Words = en;

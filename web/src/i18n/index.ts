// SPDX-License-Identifier: MIT
// Words: one file a language, the same keys in each; English decides which keys there are. What the server
// says in sentences is in said.ts, by the sentence, and of options in helps.ts.

import { computed, effect } from "@preact/signals";
import { kept } from "../base/prefs";
import { en } from "./en";
import { helps } from "./helps";
import { ja } from "./ja";
import { said } from "./said";
import { zh } from "./zh";

export type Key = keyof typeof en;
export type Words = Readonly<Record<Key, string>>;

export const languages = { en: "English", "zh-CN": "简体中文", ja: "日本語" } as const;
export type Language = keyof typeof languages;

const files: Readonly<Record<Language, Words>> = { en, "zh-CN": zh, ja };

function preferred(): Language {
  for (const wish of navigator.languages) {
    const base = wish.split("-")[0]!.toLowerCase();
    if (base === "zh") return "zh-CN";
    if (base === "ja") return "ja";
    if (base === "en") return "en";
  }
  return "en";
}

export const language = kept<Language>("language", preferred());
const words = computed(() => files[language.value] ?? en);
effect(() => {
  document.documentElement.lang = language.value;
});

type Values = Readonly<Record<string, string | number>>;

/** "{n}" is a value, "{n|move|moves}" a word by whether it is one or more. */
function fill(text: string, values?: Values): string {
  if (!values) return text;
  return text
    .replace(/\{(\w+)\|(.*?)\|(.*?)\}/g, (_, name: string, one: string, more: string) => (Number(values[name]) === 1 ? one : more))
    .replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

export function t(key: Key, values?: Values): string {
  return fill(words.value[key], values);
}

/** Sentences one after the other: Chinese and Japanese have no space between them. */
export function tJoin(...sentences: readonly string[]): string {
  return sentences.join(language.value === "en" ? " " : "").trim();
}

/** For names that the server gives: translated where there is a word for it. */
export function tOr(key: string, fallback: string, values?: Values): string {
  const text = (words.value as Readonly<Record<string, string>>)[key];
  return text === undefined ? fallback : fill(text, values);
}

const NUMBERS = ["n", "m", "b", "w", "line", "least", "most", "size"];
const forms = Object.entries(said).map(([form, [zh, ja, en]]) => {
  const hole = (name: string): string => `(?<${name}>${NUMBERS.includes(name) ? "[-\\d.x]*\\d" : ".+?"})`;
  const literal = form.replace(/\.$/, "").replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  // The server makes whole sentences of its library's: a capital, a full stop.
  const pattern = new RegExp(`^${literal.replace(/\{(\w+)\}/g, (_, name: string) => hole(name))}\\.?$`, "i");
  return { pattern, words: { en, "zh-CN": zh, ja } };
});

function inWords(sentence: string): string | undefined {
  for (const { pattern, words } of forms) {
    const found = pattern.exec(sentence);
    if (!found) continue;
    const { what, opening, colour, option, ...rest } = { ...found.groups };
    const inner = what && inWords(what);
    if (what && !inner) continue;
    const text = words[language.value];
    if (text === undefined) return sentence;
    return fill(text, {
      ...rest,
      ...(inner && { what: inner }),
      ...(option && { option: option.replace(/^[a-z]\w*: /i, "") }), // whose option it is, the reader knows
      ...(opening && { opening: tOr(`phase.${opening.toLowerCase()}`, opening) }),
      ...(colour && { colour: tOr(`colour.${colour.toLowerCase()}`, colour) }),
    });
  }
  return undefined;
}

/** What the server says of an option; its own words where there are no others. */
export function tHelp(help: string): string {
  const [zh, ja] = helps[help] ?? [help, help];
  return { en: help, "zh-CN": zh, ja }[language.value] ?? help;
}

/** A sentence of the server, in the reader's language where it is known. */
export function tSaid(sentence: string): string {
  const text = inWords(sentence) ?? sentence;
  return /[.。!！?？]$/.test(text) ? text : text + (language.value === "en" ? "." : "。");
}

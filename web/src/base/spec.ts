// SPDX-License-Identifier: MIT
// A player's spec, "kind:key=value,…", as on the command line. A value with a comma stands in quotes, in
// which \" and \\ are " and \.

export type Options = Readonly<Record<string, string>>;

export function splitSpec(spec: string): { kind: string; options: Options } {
  const colon = spec.indexOf(":");
  if (colon < 0) return { kind: spec, options: {} };
  const options: Record<string, string> = {};
  for (const [, key, quoted, plain] of spec.slice(colon + 1).matchAll(/([^=,]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^,]*)))?,?/g)) {
    options[key!] = quoted?.replace(/\\(["\\])/g, "$1") ?? plain ?? "true";
  }
  return { kind: spec.slice(0, colon), options };
}

export function joinSpec(kind: string, options: Options): string {
  const pairs = Object.entries(options).map(([k, v]) => `${k}=${/[,"]/.test(v) ? `"${v.replace(/(["\\])/g, "\\$1")}"` : v}`);
  return pairs.length === 0 ? kind : `${kind}:${pairs.join(",")}`;
}

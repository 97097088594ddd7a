import type { Json } from "../../base/index.ts";

/** An index as RFC 6901 writes it: no sign, no leading zero; `-` is behind the last and never there. */
const INDEX = /^(?:0|[1-9][0-9]{0,9})$/;

/** What a pointer of RFC 6901 leads to. */
export type Pointed =
  | { readonly found: true; readonly value: Json }
  /** How far it leads, as a pointer. */
  | { readonly found: false; readonly upTo: string };

/** Follows a pointer through a document; only what stands in the document counts, nothing inherited. */
export function followPointer(document: Json, pointer: string): Pointed {
  let value = document;
  const tokens = pointer.split("/").slice(1);
  for (const [at, token] of tokens.entries()) {
    const next = step(value, token);
    if (next === undefined) return { found: false, upTo: ["", ...tokens.slice(0, at)].join("/") };
    value = next;
  }
  return { found: true, value };
}

function step(value: Json, token: string): Json | undefined {
  // A tilde means one of two characters; any other use of it is no pointer and leads nowhere.
  if (/~(?![01])/.test(token)) return undefined;
  const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
  if (value === null || typeof value !== "object") return undefined;
  if (isList(value)) return INDEX.test(key) ? value[Number(key)] : undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

import { SwornError } from "./error.ts";

/** What JSON can carry; anything else has no canonical form. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Nesting beyond this is refused: it is never needed, and it is how a parser is made to overflow. */
export const DEPTH_MAX = 64;

/**
 * The one byte sequence that stands for a value (RFC 8785): keys in UTF-16 code unit order, numbers
 * as ECMAScript prints them, strings untouched.
 *
 * @throws SwornError `INPUT_INVALID` on anything JSON cannot say exactly: lone surrogates, NaN,
 * infinities, undefined, functions, holes in arrays, class instances, too deep a nesting.
 */
export function canonicalize(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return writeString(value);
    case "number":
      if (!Number.isFinite(value)) throw unwritable(`the number ${value}`);
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth >= DEPTH_MAX) throw unwritable(`nesting deeper than ${DEPTH_MAX}`);
      return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
    default:
      throw unwritable(`a value of type ${typeof value}`);
  }
}

/** Printable ASCII but quote and backslash: what stands in JSON as it is. Most strings are like that. */
const PLAIN = /^[ !#-[\]-~]*$/;

function writeString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  // JSON.stringify would escape a lone surrogate and so give two spellings to one mistake.
  if (!text.isWellFormed()) throw unwritable("a string with a lone surrogate");
  return JSON.stringify(text);
}

function writeArray(items: readonly unknown[], depth: number): string {
  let out = "[";
  for (let index = 0; index < items.length; index += 1) {
    // A hole reads as undefined and is refused there.
    out += (index === 0 ? "" : ",") + write(items[index], depth + 1);
  }
  return `${out}]`;
}

function writeObject(object: object, depth: number): string {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw unwritable(`an object of class ${object.constructor?.name ?? "unknown"}`);
  }
  // The default sort compares UTF-16 code units, which is the order RFC 8785 asks for.
  const keys = Object.keys(object);
  if (!isSorted(keys)) keys.sort();
  let out = "{";
  for (const key of keys) {
    const comma = out === "{" ? "" : ",";
    out += `${comma}${writeString(key)}:${write((object as Record<string, unknown>)[key], depth + 1)}`;
  }
  return `${out}}`;
}

/** What was parsed from canonical bytes comes in order already. */
function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] ?? "") >= (keys[index] ?? "")) return false;
  }
  return true;
}

function unwritable(what: string): SwornError {
  return new SwornError("INPUT_INVALID", `canonical JSON cannot carry ${what}`);
}

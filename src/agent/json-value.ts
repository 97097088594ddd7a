/** An object out of somebody else's JSON: nothing about its members is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 16;
const INPUT_CHARS_MAX = 4_000;
const NAME_CHARS_MAX = 200;

/** The value as an object; undefined for anything else, arrays included. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The objects in a list; everything else in it is left out. */
export function objectsOf(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.map(objectOf).filter((item) => item !== undefined);
}

/** The value as well-formed text; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value.toWellFormed() : undefined;
}

/** A count of something, added up: whole, not negative, exact. An agent may write any number there. */
export function countOf(...values: readonly unknown[]): number {
  let sum = 0;
  for (const value of values) if (typeof value === "number" && value > 0) sum += Math.floor(value);
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

/** Dollars as millionths, rounded up so that a ceiling is never passed by rounding. */
export function microUsdOf(dollars: unknown): number | undefined {
  if (typeof dollars !== "number" || !Number.isFinite(dollars) || dollars < 0) return undefined;
  // A thousandth of a millionth is the fuzz of binary fractions, not money.
  return countOf(Math.ceil(dollars * 1e6 - 1e-3));
}

/** A text that is at most this long, and says so when something is missing. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  return `${text.slice(0, charsMax).toWellFormed()}… (${text.length} characters)`;
}

/** The name of a tool, as somebody else gives it. */
export function nameOf(value: unknown): string {
  return cut(textOf(value) || "unnamed", NAME_CHARS_MAX);
}

/** The input of a call as text: a string as it is, anything else as JSON, cut in length and depth. */
export function inputOf(value: unknown): string {
  if (typeof value === "string") return cut(value.toWellFormed(), INPUT_CHARS_MAX);
  const room = { left: INPUT_CHARS_MAX };
  const text = shortJson(value, room, 0);
  return room.left < 0 ? `${text.slice(0, INPUT_CHARS_MAX).toWellFormed()}…` : text;
}

/** JSON.stringify recurses as deep as its input: this one stops, at a depth and at a length. */
function shortJson(value: unknown, room: { left: number }, depth: number): string {
  if (room.left < 0 || depth > DEPTH_MAX) return '"…"';
  if (typeof value !== "object" || value === null) return leaf(value, room);
  const parts: string[] = [];
  const isList = Array.isArray(value);
  // Keys first: the entries of a large object would all be made before the first is looked at.
  for (const key of Object.keys(value)) {
    if (room.left < 0) break;
    const name = isList ? "" : `${leaf(key, room)}:`;
    room.left -= 2;
    parts.push(name + shortJson((value as JsonObject)[key], room, depth + 1));
  }
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

function leaf(value: unknown, room: { left: number }): string {
  const known = typeof value === "string" ? value.slice(0, INPUT_CHARS_MAX).toWellFormed() : value;
  const text = JSON.stringify(known) ?? "null";
  room.left -= text.length;
  return text;
}

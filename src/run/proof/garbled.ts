import type { Json } from "../../base/index.ts";

const DEPTH_MAX = 20;
/** A number that no plan asks for. */
const ODD_NUMBER = -987_654_321.5;
const ODD_TEXT = "\u0001garbled\u0001";

/**
 * Results that no assertion should be content with: nothing, an empty object, and every declared key
 * with a value that nobody would ask for. An assertion that holds for all of them cannot fail.
 *
 * @param isWorkers whether the result is what a worker handed in, which always is an object
 */
export function garbledResults(
  result: Json,
  keys: readonly string[],
  isWorkers: boolean,
): readonly Json[] {
  const declared = Object.fromEntries(keys.map((key) => [key, ODD_TEXT]));
  const isPlain = typeof result === "object" && result !== null && !Array.isArray(result);
  const odd = garbled(result, DEPTH_MAX);
  const all = isPlain ? { ...declared, ...(odd as Record<string, Json>) } : odd;
  return [...(isWorkers ? [] : [null]), {}, all];
}

function garbled(value: Json, depth: number): Json {
  if (depth === 0 || value === null) return ODD_TEXT;
  switch (typeof value) {
    case "number":
      return value === ODD_NUMBER ? 0 : ODD_NUMBER;
    case "string":
      return value === ODD_TEXT ? "" : ODD_TEXT;
    case "boolean":
      return !value;
    default:
      return isList(value)
        ? [ODD_TEXT, ...value.map((one) => garbled(one, depth - 1))]
        : Object.fromEntries(
            Object.entries(value).map(([key, one]) => [key, garbled(one, depth - 1)]),
          );
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

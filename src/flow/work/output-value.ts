import { type Json, parseJson } from "../../base/index.ts";
import type { PlanSubtask } from "../../schema/plan.ts";

const BYTES_MAX = 1 << 20;

/**
 * What a subtask handed in, as a value: a JSON output is itself, any other text the value of the one
 * field that the plan gives it. Undefined when it cannot be read.
 */
export function outputValue(
  name: string,
  text: string,
  { output_schema }: Pick<PlanSubtask, "output_schema">,
): Json | undefined {
  if (name.endsWith(".json")) {
    try {
      return parseJson(text, BYTES_MAX);
    } catch {
      // What cannot be read has none of the fields that the plan asks for, and that is said.
      return undefined;
    }
  }
  const [key, ...more] = Object.keys(output_schema);
  return key !== undefined && more.length === 0 ? { [key]: text } : text;
}

/** The fields of a value; none where it is no object. */
export function fieldsOf(value: Json | undefined): ReadonlyMap<string, Json> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return new Map(isObject ? Object.entries(value) : []);
}

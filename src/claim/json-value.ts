import { type Json, messageOf, parseJson, SwornError } from "../base/index.ts";
import { REPORT_BYTES_MAX } from "./parsed-report.ts";

/** A JSON object somebody else wrote; its members are only ever asked for by name. */
export type JsonObject = { readonly [name: string]: Json };

/**
 * Parses a report's JSON.
 *
 * @throws SwornError `INPUT_INVALID` or `LIMIT_EXCEEDED`, naming the file and what was expected.
 */
export function parseReportJson(text: string, path: string, expected: string): Json {
  try {
    return parseJson(text, REPORT_BYTES_MAX);
  } catch (cause) {
    const code = cause instanceof SwornError ? cause.code : "INPUT_INVALID";
    throw new SwornError(code, `${path}: expected ${expected}: ${messageOf(cause)}`, { cause });
  }
}

/** The value as an object, or undefined. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The member of an object by its own name; never one it inherits. */
export function member(value: Json | undefined, name: string): Json | undefined {
  const object = asObject(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value as a list; empty if it is none. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text that is not empty, or undefined. */
export function asText(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The value as a number of a line, also where it was written as text. */
export function asLine(value: Json | undefined): number | undefined {
  const line = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof line === "number" && Number.isInteger(line) && line >= 1 && line <= 100_000_000
    ? line
    : undefined;
}

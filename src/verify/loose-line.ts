import { DEPTH_MAX } from "../base/index.ts";
import { LINE_BYTES_MAX } from "../schema/limits.ts";

/**
 * The object or list that a line holds, whatever else is wrong with it; undefined when it holds
 * none. What is longer or nested deeper than an entry may be is not looked into: readers differ in
 * how much of that they can take, and a verdict must not.
 */
export function readLoosely(line: Buffer): object | undefined {
  if (line.length > LINE_BYTES_MAX) return undefined;
  try {
    const value: unknown = JSON.parse(line.toString());
    if (typeof value !== "object" || value === null) return undefined;
    return isDeeper(value, DEPTH_MAX) ? undefined : value;
  } catch {
    // The line check reports it with its reason.
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

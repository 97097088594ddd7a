import { test } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

/**
 * A test that shows requirements to hold. The name says the requirement's ids, so that a report
 * reads both ways; an unknown id fails before anything runs.
 */
export function verifies(
  ids: string | readonly string[],
  title: string,
  body: () => void | Promise<void>,
): void {
  const cited = typeof ids === "string" ? [ids] : ids;
  const unknown = cited.filter((id) => !(id in REQUIREMENTS));
  if (unknown.length > 0) throw new Error(`no such requirement: ${unknown.join(", ")}`);
  test(`[${cited.join(" ")}] ${title}`, body);
}

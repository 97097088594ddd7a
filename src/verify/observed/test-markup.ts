import type { TestCounts } from "../../schema/observation.ts";

const SUITE = /<testsuite\b([^>]{0,4000})>/g;
const SUITES_MAX = 100_000;

/** A JUnit report, in any of its dialects: what its suites say, each counted once. */
export function fromMarkup(text: string): TestCounts | undefined {
  if (!text.includes("<testsuite")) return undefined;
  let [tests, failed, skipped, suites] = [0, 0, 0, 0];
  for (const [, attributes = ""] of text.matchAll(SUITE)) {
    suites += 1;
    if (suites > SUITES_MAX) return undefined;
    tests += numberOf(attributes, "tests");
    failed += numberOf(attributes, "failures") + numberOf(attributes, "errors");
    skipped += numberOf(attributes, "skipped") + numberOf(attributes, "disabled");
  }
  if (suites === 0) return undefined;
  const passed = Math.max(0, tests - failed - skipped);
  return { form: "junit", unit: "test", passed, failed, skipped };
}

function numberOf(attributes: string, name: string): number {
  return Number(new RegExp(`\\b${name}="(\\d{1,9})"`).exec(attributes)?.[1] ?? 0);
}

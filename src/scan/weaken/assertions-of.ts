import { TooMuch } from "./reading.ts";
import type { Assertion, TestCase } from "./test-case.ts";

/** What a test demands; undefined where it asks for too much work to be read. */
export function assertionsOf(test: TestCase): readonly Assertion[] | undefined {
  try {
    return test.body().assertions;
  } catch (error) {
    // Whoever asks takes it as not known, which excuses nothing; anything else is our bug.
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

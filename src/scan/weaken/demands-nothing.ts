import { posix } from "node:path";
import { isTestCode } from "../kind/index.ts";
import { readTestFile } from "./read-test-file.ts";
import { TooMuch } from "./reading.ts";
import type { Body, TestCase, TestFile } from "./test-case.ts";

const RUNNERS =
  /^(?:node:.*|assert(?:\/strict)?|vitest|@jest\/globals|mocha|chai|ava|tape|unittest|pytest)$/;
const FUNCTION = /=>|\bfunction\b/;
const RAISES = /\b(?:throw|raise)\b/;
const METHOD_CALL = /\.\s{0,10}[\w$]{1,100}\s{0,10}\(/;

/**
 * Whether the tests of that name in a file are all empty: nothing in them could fail but what they
 * call, and no helper that could is called. What cannot be read is not called empty.
 */
export function demandsNothing(
  path: string,
  text: string,
  isNamed: (titles: readonly string[]) => boolean,
): boolean {
  const read = readTestFile(path, text);
  if (!("file" in read)) return false;
  const named = read.file.tests.filter(
    ({ kind, within, title }) => kind === "test" && isNamed([...within, title]),
  );
  const isHelped = mayBeHelped(path, read.file);
  return named.length > 0 && named.every((test) => isEmpty(test, isHelped));
}

function isEmpty(test: TestCase, isHelped: boolean): boolean {
  // A function of another name may be handed to the runner: then its body is not here.
  if (test.runner !== "def" && !FUNCTION.test(test.text)) return false;
  const body = bodyOf(test);
  if (body === undefined || RAISES.test(test.text)) return false;
  const isHeard = body.assertions.some(
    ({ strength, hold }) => strength > 0 && (hold === "certain" || hold === "conditional"),
  );
  if (isHeard) return false;
  // Assertions that nothing can fail stand there in place of some that could.
  if (body.assertions.length > 0) return true;
  return !METHOD_CALL.test(test.text) && (body.calls.size === 0 || !isHelped);
}

function bodyOf(test: TestCase): Body | undefined {
  try {
    return test.body();
  } catch (error) {
    // It is not known then, and the runs decide; anything else is our bug.
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

/** Whether a file imports something that could check in its place: neither a runner nor the program itself. */
function mayBeHelped(path: string, { imports }: TestFile): boolean {
  return imports.some((from) => {
    if (RUNNERS.test(from)) return false;
    return !from.startsWith(".") || isTestCode(posix.join(posix.dirname(path), from));
  });
}

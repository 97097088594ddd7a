import { posix } from "node:path";
import { isTestCode } from "../kind/index.ts";
import { readTestFile } from "./read-test-file.ts";
import { TooMuch } from "./reading.ts";
import type { Assertion, Body, TestCase, TestFile } from "./test-case.ts";

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
  const isImported = (name: string) => importsName(text, name);
  return named.length > 0 && named.every((test) => isEmpty(test, isHelped, isImported));
}

/** That there is something of that name holds for whatever was written under it. */
const IS_THERE = new Set(["truthy", "defined", "type", "exists"]);
const NAME = /^[A-Za-z_$][\w$]{0,100}$/;

function isMereName(
  { subject, family, isNegated, expected }: Assertion,
  isImported: (name: string) => boolean,
): boolean {
  const name = subject.replace(/^typeof\s*/, "");
  const isNotNothing = isNegated && expected.every((one) => /^(?:undefined|null|None)$/.test(one));
  const isThere = IS_THERE.has(family) || name !== subject || isNotNothing;
  return isThere && NAME.test(name) && isImported(name);
}

/** Whether a file takes a name from elsewhere; read from the text, which is in any case its worker's. */
function importsName(text: string, name: string): boolean {
  const word = `\\b${name.replaceAll("$", "\\$")}\\b`;
  return [
    `\\bimport\\b[^;'"]{0,2000}${word}[^;'"]{0,2000}\\bfrom\\b`,
    `${word}[^;=]{0,2000}=\\s*(?:await\\s+import|require)\\s*\\(`,
    `^\\s*from\\s+\\S{1,200}\\s+import\\b[^\\n]{0,2000}${word}`,
  ].some((form) => new RegExp(form, "m").test(text));
}

function isEmpty(
  test: TestCase,
  isHelped: boolean,
  isImported: (name: string) => boolean,
): boolean {
  // A function of another name may be handed to the runner: then its body is not here.
  if (test.runner !== "def" && !FUNCTION.test(test.text)) return false;
  const body = bodyOf(test);
  if (body === undefined || RAISES.test(test.text)) return false;
  const isHeard = body.assertions.some((one) => {
    const isReached = one.hold === "certain" || one.hold === "conditional";
    return one.strength > 0 && isReached && !isMereName(one, isImported);
  });
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

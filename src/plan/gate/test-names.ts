import { ProjectPath } from "../../schema/work-proof.ts";

/** A test that a text names. */
export interface NamedInText {
  readonly name: string;
  readonly file?: string;
}

const NAMES_MAX = 100;
/** `test_limit_blocks_11th()`, also as a method: `TestLimit::test_x()`, `limit.test_x()`. */
const CALLED = /(?<![\p{L}\p{N}_])(?<name>[\p{L}_][\p{L}\p{N}_]{0,199})\(\)/gu;
/** Which identifiers are tests by their look. */
const TEST_LIKE =
  /^(?:test|it|should|spec)(?:_|$|(?=[A-Z0-9]))|^Test(?=[A-Z_])|_(?:test|spec)$|(?:Test|Spec)$|_test_/;
/** `test "rejects the 11th message"`, `the test named 'x'`, `it("x")`. */
const TITLED =
  /(?<![\p{L}\p{N}_])(?:tests?(?: case)?(?: named| called| titled)?\s?:?|(?:it|test|spec)\()\s?(?:"(?<double>[^"\n]{3,300})"|'(?<single>[^'\n]{3,300})'|`(?<tick>[^`\n]{3,300})`|“(?<curly>[^“”\n]{3,300})”)/giu;
/** Where the file stands, right behind the name. */
const IN_FILE =
  /^["'`”)]{0,3}\s{1,3}(?:in|of|from)\s(?:the\s)?(?:file\s)?[`"']?(?<file>[\w@./-]{1,300}\.[A-Za-z0-9]{1,8})/u;

/**
 * The tests that a text names: identifiers with `()` that look like tests or are called one, and titles in
 * quotes behind the word. Other functions with `()` are what the work is about, not how it is checked.
 */
export function findTestNames(text: string): NamedInText[] {
  const places = [...calledIn(text), ...titledIn(text)];
  if (places.length === 0) return [];
  const found = new Map<string, NamedInText>();
  for (const { name, end } of places.slice(0, NAMES_MAX)) {
    const file = fileBehind(text.slice(end, end + 320));
    if (found.get(name)?.file !== undefined) continue;
    found.set(name, { name, ...(file === undefined ? {} : { file }) });
  }
  return [...found.values()];
}

/** What an outcome may say beside the tests that it names without demanding more than that they pass. */
const PASSING =
  /\b(?:(?:the )?(?:named |failing )?tests?(?: case)?(?: named| called)?|and|both|all|passes|pass|(?:is|are|turns?) green|succeeds?|in|of|from|(?:the )?file)\b/gi;

/** The tests of an outcome that says nothing but that they pass; else none. */
export function passingTests(outcome: string): NamedInText[] {
  const tests = findTestNames(outcome);
  if (tests.length === 0) return [];
  const rest = tests
    .flatMap(({ name, file }) => (file === undefined ? [name] : [file, name]))
    .reduce((text, said) => text.replaceAll(said, " "), outcome)
    .replace(PASSING, " ");
  return /[\p{L}\p{N}]/u.test(rest) ? [] : tests;
}

interface Place {
  readonly name: string;
  readonly end: number;
}

function calledIn(text: string): Place[] {
  if (!text.includes("()")) return [];
  return [...text.matchAll(CALLED)].flatMap((match) => {
    const name = match.groups?.["name"] ?? "";
    const isTest = TEST_LIKE.test(name) || isCalledTest(text, match.index);
    return isTest ? [{ name, end: match.index + match[0].length }] : [];
  });
}

function titledIn(text: string): Place[] {
  // Looking for a quote is cheap, and most texts have none.
  if (!/["'`“]/.test(text) || !/test|it\(|spec/i.test(text)) return [];
  return [...text.matchAll(TITLED)].flatMap((match) => {
    const { double, single, tick, curly } = match.groups ?? {};
    const name = double ?? single ?? tick ?? curly ?? "";
    // Code in quotes was found above, and a command or a path is no title.
    return isTitle(name) ? [{ name, end: match.index + match[0].length }] : [];
  });
}

function isCalledTest(text: string, at: number): boolean {
  return /\b(?:failing|named)? ?test(?: named| called)? [`"']?$/i.test(
    text.slice(Math.max(0, at - 40), at),
  );
}

function isTitle(title: string): boolean {
  if (
    /\(\)$|^[./]|\.[a-z]{1,4}$|^(?:npm|npx|node|pytest|python3?|yarn|pnpm|go|cargo|make) /.test(
      title,
    )
  )
    return false;
  return /[\p{L}]{2}/u.test(title);
}

function fileBehind(rest: string): string | undefined {
  const file = IN_FILE.exec(rest)?.groups?.["file"];
  return file !== undefined && ProjectPath.safeParse(file).success ? file : undefined;
}

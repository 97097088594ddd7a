import type { SeenTest } from "./seen-test.ts";

const INDENT = 4;
const DEPTH_MAX = 100;
const LINE_CHARS_MAX = 2_000;
const LINES_MAX = 1_000_000;
const BEGIN = /^# Subtest: (.*)$/;
const POINT = /^(ok|not ok) \d{1,9}(?: -)? (.*)$/;
/** Behind an unescaped number sign: it did not run, or does not have to hold. */
const DIRECTIVE = / # (?:SKIP|TODO)\b/i;

/**
 * The tests of a TAP report: those within others are indented and come before them. What tests print
 * themselves is a comment there, so that it is no test.
 */
export function tapTests(text: string): SeenTest[] {
  const tests: SeenTest[] = [];
  const groups: string[] = [];
  for (const line of text.split(/\r?\n/, LINES_MAX)) {
    if (line.length > LINE_CHARS_MAX) continue;
    const words = line.trimStart();
    const depth = Math.floor((line.length - words.length) / INDENT);
    const begun = BEGIN.exec(words)?.[1];
    const [, how, said] = POINT.exec(words) ?? [];
    if (depth > DEPTH_MAX) continue;
    if (begun !== undefined) {
      groups.length = Math.min(groups.length, depth);
      groups[depth] = plainName(begun);
    }
    if (said === undefined) continue;
    const path = [...groups.slice(0, depth).filter(Boolean), nameIn(said)];
    tests.push({ path, state: stateOf(how, said) });
  }
  return tests;
}

function stateOf(how: string | undefined, said: string): SeenTest["state"] {
  if (DIRECTIVE.test(said)) return "skipped";
  return how === "ok" ? "passed" : "failed";
}

function nameIn(said: string): string {
  const at = DIRECTIVE.exec(said)?.index;
  return plainName(at === undefined ? said : said.slice(0, at));
}

function plainName(text: string): string {
  return text.trim().replace(/\\([#\\])/g, "$1");
}

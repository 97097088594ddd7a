import type { SeenTest } from "./seen-test.ts";

const TESTS_MAX = 200_000;
const DEPTH_MAX = 200;
const QUOTING = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
] as const;
const NAME = /^[A-Za-z][\w:-]*/;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" },
};

/** The tests of a JUnit report, as pytest, mocha and node write it. Undefined when it is none. */
export function junitTests(text: string): SeenTest[] | undefined {
  if (!/<testsuites?[\s>]/.test(text)) return undefined;
  const reading = new Reading();
  for (const tag of tagsOf(text)) {
    reading.take(tag);
    if (reading.isTooLarge) return undefined;
  }
  return reading.tests;
}

class Reading {
  readonly tests: SeenTest[] = [];
  readonly #suites: string[] = [];
  #path: readonly string[] = [];
  #state: SeenTest["state"] | undefined;

  get isTooLarge(): boolean {
    return this.tests.length > TESTS_MAX || this.#suites.length > DEPTH_MAX;
  }

  take(one: Tag): void {
    if (one.tag === "testsuite") this.#takeSuite(one);
    else if (one.tag === "testcase") this.#takeCase(one);
    else if (this.#state !== undefined && !one.isEnd) {
      this.#state = stateAfter(one.tag, this.#state);
    }
  }

  #takeSuite({ rest, isEnd, isWhole }: Tag): void {
    if (isEnd) this.#suites.pop();
    else if (!isWhole) this.#suites.push(attribute(rest, "name"));
  }

  #takeCase({ rest, isEnd, isWhole }: Tag): void {
    if (!isEnd) {
      this.#path = pathOf(rest, this.#suites);
      this.#state = "passed";
    }
    if (this.#state !== undefined && (isEnd || isWhole)) {
      this.tests.push({ path: this.#path, state: this.#state });
      this.#state = undefined;
    }
  }
}

interface Tag {
  readonly tag: string;
  readonly rest: string;
  readonly isEnd: boolean;
  /** Whether it closes itself. */
  readonly isWhole: boolean;
}

/** Every tag in turn. What looks like one in a comment or in quoted text is none. */
function* tagsOf(text: string): Generator<Tag> {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const quoting = QUOTING.find(([start]) => text.startsWith(start, at));
    const end = quoting ? endOfQuoting(text, at, quoting) : endOfTag(text, at);
    // It was cut off: what comes behind belongs to something that nobody knows the rest of.
    if (end < 0) return;
    const isEnd = text[at + 1] === "/";
    const inner = text.slice(at + (isEnd ? 2 : 1), end - 1);
    const tag = NAME.exec(inner)?.[0];
    at = end;
    if (tag !== undefined) {
      yield { tag, rest: inner.slice(tag.length), isEnd, isWhole: inner.endsWith("/") };
    }
  }
}

/** Where it is over; negative when it never is. */
function endOfQuoting(text: string, at: number, [start, end]: (typeof QUOTING)[number]): number {
  const found = text.indexOf(end, at + start.length);
  return found < 0 ? -1 : found + end.length;
}

function endOfTag(text: string, at: number): number {
  let quote = "";
  for (let index = at + 1; index < text.length; index += 1) {
    const char = text[index] ?? "";
    if (quote === "" && char === ">") return index + 1;
    if (char === quote) quote = "";
    else if (quote === "" && (char === '"' || char === "'")) quote = char;
  }
  return -1;
}

function stateAfter(tag: string, state: SeenTest["state"]): SeenTest["state"] {
  if (tag === "failure" || tag === "error") return "failed";
  return tag === "skipped" && state === "passed" ? "skipped" : state;
}

function pathOf(rest: string, suites: readonly string[]): string[] {
  const group = attribute(rest, "classname");
  // Node writes this for all of them.
  const groups = group === "" || group === "test" ? [] : [group];
  return [...suites, ...groups, attribute(rest, "name")];
}

function attribute(rest: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`).exec(rest);
  return decoded(found?.[1] ?? found?.[2] ?? "");
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (all, ten, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = Number.parseInt(ten ?? hex, ten === undefined ? 16 : 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/**
 * Whether an assertion is reached, and its failure heard: for sure, only on some condition, never
 * heard because a `catch` or a missing `await` drops it, or never reached.
 */
export type Hold = "certain" | "conditional" | "swallowed" | "unreachable";

/** What a test demands in one place, in a form in which two demands can be compared. */
export interface Assertion {
  /** From 1. */
  readonly line: number;
  /** The whole of it, without spaces, comments and other matters of taste. */
  readonly normal: string;
  /** As written, cut, for a message. */
  readonly text: string;
  /** What is examined. */
  readonly subject: string;
  /** How it is examined, by a name that all test runners share: `equals`, `contains`. */
  readonly family: string;
  readonly isNegated: boolean;
  readonly expected: readonly string[];
  /** From 0, which nothing can fail, to 100, which one value alone can pass. */
  readonly strength: number;
  readonly hold: Hold;
  /** How often loops around it run, as far as that is written down. */
  readonly times: number;
}

/** A word at a test or at a suite around it that decides whether it runs. */
export interface Mark {
  /** `sometimes` runs on a condition only; `fails` counts a failure as success. */
  readonly kind: "skip" | "sometimes" | "fails" | "only";
  /** As written: `describe.skip`. */
  readonly how: string;
  readonly line: number;
}

/** What is in a test, read when somebody asks. */
export interface Body {
  readonly assertions: readonly Assertion[];
  readonly marks: readonly Mark[];
  /** Names of functions that it calls. */
  readonly calls: ReadonlySet<string>;
  /** Rows of tables that it goes through. */
  readonly rows: readonly string[];
}

/** A test, or another function that can hold assertions. */
export interface TestCase {
  /** `plain` functions run only when somebody calls them; `file` is what stands outside of all others. */
  readonly kind: "test" | "plain" | "file";
  readonly title: string;
  /** The suites or classes around it, outermost first. */
  readonly within: readonly string[];
  readonly line: number;
  /** The function alone, spaces folded: the same for a test that only got another title. */
  readonly text: string;
  /** What announces it to the runner: `test`, `def`. */
  readonly runner: string;
  readonly marks: readonly Mark[];
  /** The rows of its table, where it has one. */
  readonly rows: readonly string[];
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly body: () => Body;
}

/** All that can be compared of one version of a file. */
export interface TestFile {
  readonly tests: readonly TestCase[];
  /** Modules that are replaced by doubles, as written. */
  readonly mocks: readonly string[];
  /** Words of the test runner that the file gives another meaning. */
  readonly replaced: readonly {
    readonly name: string;
    readonly line: number;
    readonly isImported?: true;
  }[];
  /** What the file imports, as written. */
  readonly imports: readonly string[];
  /** How much of the text the parser gave up on, in characters. */
  readonly brokenChars: number;
}

export function fullTitle({ within, title }: Pick<TestCase, "within" | "title">): string {
  return [...within, title].join(" > ");
}

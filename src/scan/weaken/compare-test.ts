import { compareAssertions, type LostDemand } from "./compare-assertions.ts";
import { CHECKING } from "./javascript-assertion.ts";
import { type Assertion, fullTitle, type Mark, type TestCase } from "./test-case.ts";
import { shown, shownPair, type WeakenedTest } from "./weakened-test.ts";

/** A test in its place. */
export interface Placed {
  readonly path: string;
  readonly test: TestCase;
}

/** What two versions of a test are compared with besides each other. */
export interface Surroundings {
  /** Whether another test of the change demands the same now. */
  readonly isElsewhere: (assertion: Assertion) => boolean;
  /** What a function checks that the new version of the test calls, as normal forms. */
  readonly checkedBy: (name: string) => readonly Assertion[] | undefined;
}

/** How a test as it is now demands less than before. */
export function compareTest(before: Placed, after: Placed, around: Surroundings): WeakenedTest[] {
  const isSame = before.test.text === after.test.text;
  const found = [
    ...markFindings(before, after, isSame),
    ...rowFindings(before, after),
    ...limitFindings(before, after),
  ];
  return isSame ? found : [...found, ...demandFindings(before, after, around)];
}

function finding(
  { path, test }: Placed,
  about: Pick<WeakenedTest, "kind" | "severity" | "isRewrite"> & { line?: number },
  message: string,
): WeakenedTest {
  const title = fullTitle(test);
  return {
    kind: about.kind,
    severity: about.severity,
    path,
    line: about.line ?? test.line,
    side: "after",
    ...(test.kind === "file" ? {} : { test: title }),
    ...(about.isRewrite ? { isRewrite: true } : {}),
    message: `${naming(test)}: ${message}`,
  };
}

/** A test as messages call it. */
export function naming(test: TestCase): string {
  if (test.kind === "file") return "Outside of all tests";
  const what = test.kind === "test" ? "Test" : "Function";
  return `${what} "${shown(fullTitle(test))}"`;
}

/** Assertions of functions that are searched for one that moved. */
const MOVED_MAX = 2_000;
const RUNS_LESS: readonly Mark["kind"][] = ["skip", "fails", "sometimes"];

function markFindings(before: Placed, after: Placed, isSame: boolean): WeakenedTest[] {
  const marksOf = ({ test }: Placed) =>
    [...test.marks, ...(isSame ? [] : test.body().marks)].filter(({ kind }) =>
      RUNS_LESS.includes(kind),
    );
  const old = marksOf(before);
  if (old.some(({ kind }) => kind === "skip")) return [];
  const [mark] = marksOf(after)
    .filter(({ kind }) => !old.some((one) => one.kind === kind))
    .toSorted((a, b) => RUNS_LESS.indexOf(a.kind) - RUNS_LESS.indexOf(b.kind));
  if (mark === undefined) return [];
  const now = {
    skip: "does not run any more",
    fails: "counts as passed when it fails",
    sometimes: "runs on a condition only",
    only: "",
  }[mark.kind];
  const message = `it ran before and ${now} (${shown(mark.how)})`;
  return [finding(after, { kind: "skipped", severity: "weakened", line: mark.line }, message)];
}

/** Rows of a table are tests of their own. */
function rowFindings(before: Placed, after: Placed): WeakenedTest[] {
  const rowsOf = ({ test }: Placed) => [
    ...test.rows,
    ...(before.test.text === after.test.text ? [] : test.body().rows),
  ];
  const [old, now] = [rowsOf(before), rowsOf(after)];
  if (old.length === 0) return [];
  // A table of a function that checks nothing is no table of cases.
  if (before.test.kind === "plain" && before.test.body().assertions.length === 0) return [];
  const kept = new Set(now);
  const gone = old.filter((row) => !kept.has(row));
  if (gone.length === 0) return [];
  const [first = ""] = gone;
  const fewer = old.length - now.length;
  const cases = `${old.length} cases before, ${now.length} now`;
  if (now.length === 0) {
    const message = `its table of ${old.length} cases is no longer written where it can be read`;
    return [finding(after, { kind: "loosened", severity: "note" }, message)];
  }
  if (fewer > 0) {
    const message = `${cases}: gone is \`${shown(first)}\`${gone.length > 1 ? ` and ${gone.length - 1} more` : ""}`;
    return [finding(after, { kind: "removed", severity: "weakened" }, message)];
  }
  const message = `${gone.length === 1 ? "a case was" : `${gone.length} cases were`} rewritten: \`${shown(first)}\` is not there any more`;
  return [finding(after, { kind: "loosened", severity: "note" }, message)];
}

function limitFindings(before: Placed, after: Placed): WeakenedTest[] {
  const pairs = [
    ["timeout in ms", before.test.timeoutMs, after.test.timeoutMs],
    ["retries", before.test.retries ?? 0, after.test.retries],
  ] as const;
  return pairs.flatMap(([what, old, now]) => {
    if (old === undefined || now === undefined || now <= old) return [];
    const message = `${what}: ${old} before, ${now} now`;
    return [finding(after, { kind: "loosened", severity: "note" }, message)];
  });
}

function demandFindings(before: Placed, after: Placed, around: Surroundings): WeakenedTest[] {
  const [old, now] = [before.test.body(), after.test.body()];
  const demanded = old.assertions.filter(({ strength }) => strength > 0);
  const called = [...now.calls].filter((name) => !old.calls.has(name));
  const moved = called.flatMap((name) => around.checkedBy(name) ?? []).slice(0, MOVED_MAX);
  const isMoved = (one: Assertion) =>
    around.isElsewhere(one) || moved.some((other) => isSameCheck(one, other));
  const lost = compareAssertions(old.assertions, now.assertions, isMoved);
  const isEmpty = now.assertions.every(({ strength }) => strength === 0);
  if (isEmpty && demanded.length > 0 && lost.length > 0) {
    const [first] = demanded;
    const count = demanded.length === 1 ? "1 assertion" : `${demanded.length} assertions`;
    const message = `it had ${count} before, such as \`${shown(first?.text ?? "")}\`, and has none now that can fail`;
    return [finding(after, { kind: "emptied", severity: "weakened" }, message)];
  }
  return lost.map((one) => lostFinding(after, one));
}

/** A check that moved into a function examines something of another name there. */
function isSameCheck(one: Assertion, other: Assertion): boolean {
  if (one.normal === other.normal) return true;
  return (
    one.family === other.family &&
    one.isNegated === other.isNegated &&
    one.expected[0] === other.expected[0]
  );
}

function lostFinding(after: Placed, lost: LostDemand): WeakenedTest {
  const { kind, why } = lost;
  const severity = isOwnHelper(lost) ? "note" : lost.severity;
  const rewrite = lost.isRewrite ? { isRewrite: true as const } : {};
  if (lost.after === undefined) {
    const message = `it demanded \`${shown(lost.before.text)}\` before, and ${why}`;
    return finding(after, { kind, severity }, message);
  }
  const [was, is] = shownPair(lost.before.text, lost.after.text);
  const now = lost.after.normal === lost.before.normal ? "the same now" : `\`${is}\` now`;
  const message = `it demanded \`${was}\` before and demands ${now}: ${why}`;
  return finding(after, { kind, severity, line: lost.after.line, ...rewrite }, message);
}

/** A call of a function that does something and also checks it; only its name would tell a check. */
function isOwnHelper({ kind, before }: LostDemand): boolean {
  const [, name] = /^own:(.*)$/s.exec(before.family) ?? [];
  return kind === "removed" && name !== undefined && !CHECKING.test(name);
}

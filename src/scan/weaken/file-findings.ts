import { isTestCode } from "../kind/index.ts";
import type { FilePair } from "./changed-tests.ts";
import { collectedRank } from "./collected.ts";
import type { ReadFile } from "./read-test-file.ts";
import type { TestFile } from "./test-case.ts";
import { type ChangedSource, shown, type WeakenedTest } from "./weakened-test.ts";

/** What of a file was not judged, or why its name is enough. */
export function unreadFindings(
  { path, before = "", after, renamedFrom = path }: ChangedSource,
  old: ReadFile | undefined,
  now: ReadFile | undefined,
): WeakenedTest[] {
  const place = { kind: "unread", path, side: "after" } as const;
  const why = [now, old].find((one) => one && "why" in one);
  if (why && "why" in why) {
    // What was no test file before and is none by name has no test to lose.
    if (before === "" && !isTestCode(path)) return [];
    if (why === now && collectedRank(path) < collectedRank(renamedFrom))
      return [awayFinding(path, renamedFrom)];
    return [
      {
        ...place,
        severity: "weakened",
        message: `${path} could not be read: not judged, because ${why.why}`,
      },
    ];
  }
  const broken = (one: ReadFile | undefined) => (one && "file" in one ? one.file.brokenChars : 0);
  if (after === undefined || broken(now) === 0 || before === "") return [];
  const severity = broken(now) > broken(old) ? "weakened" : "note";
  const message = `${path} could not be read in full: not judged where its syntax breaks off`;
  return [{ ...place, severity, message }];
}

function awayFinding(path: string, renamedFrom: string): WeakenedTest {
  const message = `${shown(renamedFrom)} was found by test runners before, and is not under its new name ${shown(path)}`;
  return { kind: "renamed-away", severity: "weakened", path, side: "after", message };
}

/** What concerns a file as a whole: its name, tests that run alone, and doubles of what it tests. */
export function fileFindings({ source, before, after }: FilePair): WeakenedTest[] {
  const { path, renamedFrom = path } = source;
  if (before === undefined || after === undefined) return [];
  const found: WeakenedTest[] = [];
  const count = before.tests.filter(({ kind }) => kind === "test").length;
  const [from, to] = [collectedRank(renamedFrom), collectedRank(path)];
  if (count > 0 && to < from) {
    const isSome = to === 1 && /(?:^|\/)__tests__\//.test(path);
    const one = awayFinding(path, renamedFrom);
    found.push(isSome ? { ...one, severity: "note" } : one);
  }
  return [
    ...found,
    ...onlyFindings(path, before, after),
    ...mockNotes(path, before, after),
    ...replacedFindings(path, before, after),
  ];
}

function onlyFindings(path: string, before: TestFile, after: TestFile): WeakenedTest[] {
  const onlyOf = ({ tests }: TestFile) =>
    tests.flatMap(({ marks }) => marks.filter(({ kind }) => kind === "only"));
  const [mark] = onlyOf(after);
  if (mark === undefined || onlyOf(before).length > 0) return [];
  const others = after.tests.filter(
    ({ kind, marks }) => kind === "test" && !marks.some((one) => one.kind === "only"),
  );
  const what = others.length === 1 ? "1 other test" : `${others.length} other tests`;
  const message = `${shown(mark.how)} in line ${mark.line} keeps ${what} of ${path} from running, which ran before`;
  if (others.length === 0) return [];
  return [{ kind: "skipped", severity: "weakened", path, line: mark.line, side: "after", message }];
}

/** A double of the unit that a test is named after leaves nothing to test. */
function mockNotes(path: string, before: TestFile, after: TestFile): WeakenedTest[] {
  const unit = baseOf(path)
    .replace(/[._-](?:test|spec|e2e)$/, "")
    .replace(/^test_|_test$/, "");
  const isUnit = (mock: string) =>
    baseOf(mock) === unit || (path.endsWith(".py") && mock.split(".").includes(unit));
  return after.mocks
    .filter((mock) => !before.mocks.includes(mock) && isUnit(mock))
    .map((mock) => ({
      kind: "loosened",
      severity: "note",
      path,
      side: "after",
      message: `${path} replaces ${shown(mock)} by a double now, which is what it tests`,
    }));
}

function baseOf(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/\.(?:[cm]?[jt]sx?|py)$/, "");
}

/** Who replaces `expect` or an assertion by something of their own decides what fails. */
function replacedFindings(path: string, before: TestFile, after: TestFile): WeakenedTest[] {
  const keyOf = ({ name, isImported }: TestFile["replaced"][number]) => `${name} ${isImported}`;
  const known = new Set(before.replaced.map(keyOf));
  return after.replaced
    .filter((one) => !known.has(keyOf(one)))
    .map(({ name, line, isImported }) => ({
      kind: "loosened",
      severity: isImported ? "note" : "weakened",
      path,
      line,
      side: "after",
      message: `${shown(name)} in ${path} was the test runner's own before, and is ${isImported ? "imported from the project" : "replaced"} now: what it demands stands elsewhere`,
    }));
}

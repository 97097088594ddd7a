import { languageOfMarks, type Mark, type Marks, marksIn } from "./test-marks.ts";
import { type ChangedSource, shown, type WeakenedTest } from "./weakened-test.ts";

const NAMED_MAX = 3;

interface Counted {
  readonly source: ChangedSource;
  readonly before: Marks;
  readonly after: Marks;
}

/**
 * Tests that are gone or do not run any more, in languages that nothing here parses. All files of a language
 * count together: a test that only moved is no loss.
 */
export function markedTests(changed: readonly ChangedSource[]): WeakenedTest[] {
  const byLanguage = new Map<string, Counted[]>();
  for (const source of changed) {
    const language = languageOfMarks(source.path) ?? languageOfMarks(oldPath(source));
    if (language === undefined) continue;
    const { path, before = "", after = "" } = source;
    const one = { source, before: marksIn(oldPath(source), before), after: marksIn(path, after) };
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), one]);
  }
  return [...byLanguage.values()].flatMap((files) => [...goneIn(files), ...skippedIn(files)]);
}

function oldPath({ path, renamedFrom = path }: ChangedSource): string {
  return renamedFrom;
}

const total = (files: readonly Counted[], side: "before" | "after", what: keyof Marks): number =>
  files.reduce((sum, one) => sum + one[side][what].length, 0);

function goneIn(files: readonly Counted[]): WeakenedTest[] {
  const lost = total(files, "before", "tests") - total(files, "after", "tests");
  if (lost <= 0) return [];
  const kept = new Set(files.flatMap(({ after }) => after.tests.map(({ name }) => name)));
  return files.flatMap(({ source, before, after }) => {
    if (after.tests.length >= before.tests.length) return [];
    const gone = before.tests.filter(({ name }) => name !== undefined && !kept.has(name));
    const [first] = [...gone, ...before.tests];
    const named = gone.length > 0 ? `: gone is ${namesOf(gone)}` : "";
    const now = source.after === undefined ? "it is gone now" : `${after.tests.length} now`;
    return [
      {
        kind: "removed",
        severity: "weakened",
        path: oldPath(source),
        line: first?.line ?? 1,
        side: "before",
        message: `${shown(oldPath(source))} had ${counted(before.tests.length)} before, ${now}${named}`,
      },
    ];
  });
}

/** A test that is new and does not run is no loss, and neither is one that is gone altogether. */
function skippedIn(files: readonly Counted[]): WeakenedTest[] {
  const ran = total(files, "before", "tests") - total(files, "before", "skips");
  const runs = total(files, "after", "tests") - total(files, "after", "skips");
  const lost = total(files, "before", "tests") - total(files, "after", "tests");
  if (ran - runs <= Math.max(lost, 0)) return [];
  return files.flatMap(({ source, before, after }) => {
    const mark = after.skips[before.skips.length];
    if (mark === undefined) return [];
    const message = `${shown(source.path)}: \`${shown(mark.name ?? "")}\` keeps tests from running that ran before`;
    const place = { path: source.path, line: mark.line, side: "after" } as const;
    return [{ kind: "skipped", severity: "weakened", ...place, message }];
  });
}

function namesOf(tests: readonly Mark[]): string {
  const names = tests.slice(0, NAMED_MAX).map(({ name = "" }) => shown(name));
  return `${names.join(", ")}${tests.length > NAMED_MAX ? ` and ${tests.length - NAMED_MAX} more` : ""}`;
}

function counted(tests: number): string {
  return tests === 1 ? "1 test" : `${tests} tests`;
}

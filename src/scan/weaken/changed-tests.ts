import { assertionsOf } from "./assertions-of.ts";
import { collectedRank } from "./collected.ts";
import { compareTest, naming, type Placed } from "./compare-test.ts";
import { fileFindings, unreadFindings } from "./file-findings.ts";
import { goneFindings } from "./gone-tests.ts";
import { pairTests } from "./pair-tests.ts";
import { type ReadFile, readTestFile } from "./read-test-file.ts";
import { TooMuch } from "./reading.ts";
import { RemovedSubjects } from "./removed-subjects.ts";
import { type Assertion, fullTitle, type TestFile } from "./test-case.ts";
import { type ChangedSource, shown, type WeakenedTest } from "./weakened-test.ts";

/** A file with both of its versions, as far as they were read. */
export interface FilePair {
  readonly source: ChangedSource;
  readonly before: TestFile | undefined;
  readonly after: TestFile | undefined;
}

/** The tests of a change, before and after. */
export class ChangedTests {
  readonly #files: readonly FilePair[];
  readonly #all: readonly ChangedSource[];
  readonly #found: WeakenedTest[] = [];
  /** What tests demand now that they did not before, by normal form, and how often. */
  #moved: Map<string, number> | undefined;
  #news: readonly (readonly [Placed, Placed | undefined])[] = [];
  #helpers: ReadonlyMap<string, readonly Placed[]> = new Map();

  constructor(all: readonly ChangedSource[], sources: readonly ChangedSource[]) {
    this.#all = all;
    this.#files = sources.map((source) => this.#read(source));
  }

  findings(): WeakenedTest[] {
    const before = this.#placed("before");
    const after = this.#placed("after");
    const oldPath = new Map(
      this.#files.map(({ source }) => [source.path, source.renamedFrom ?? source.path]),
    );
    const { pairs, gone, fresh } = pairTests(before, after, (path) => oldPath.get(path) ?? path);
    this.#news = [
      ...fresh.map((one) => [one, undefined] as const),
      ...pairs.map(({ before, after }) => [after, before] as const),
    ];
    this.#helpers = groupByTitle(after);
    // A function around tests says the same of them again, and is left out then.
    const isTest = ({ after }: (typeof pairs)[number]) => Number(after.test.kind !== "test");
    const sorted = pairs.toSorted((a, b) => isTest(a) - isTest(b));
    for (const { before: old, after: now } of sorted)
      this.#guarded(now, () => this.#pair(old, now));
    const subjects = new RemovedSubjects(this.#all);
    const scene = {
      fresh,
      files: this.#files,
      subjects,
      isElsewhere: (one: Assertion) => this.#isElsewhere(one),
    };
    this.#found.push(...goneFindings(gone, scene));
    for (const file of this.#files) this.#found.push(...fileFindings(file));
    return withoutRepetition(this.#found);
  }

  #read(source: ChangedSource): FilePair {
    const { path, before, after, renamedFrom = path } = source;
    const old = before === undefined ? undefined : readTestFile(renamedFrom, before);
    const now = after === undefined ? undefined : readTestFile(path, after);
    this.#found.push(...unreadFindings(source, old, now));
    const fileOf = (one: ReadFile | undefined) => (one && "file" in one ? one.file : undefined);
    // One side alone would make every test of it look removed, or new.
    const isHalf = (old && "why" in old) || (now && "why" in now);
    return {
      source,
      before: isHalf ? undefined : fileOf(old),
      after: isHalf ? undefined : fileOf(now),
    };
  }

  #placed(side: "before" | "after"): Placed[] {
    return this.#files.flatMap(({ source, [side]: file }) => {
      const path = side === "before" ? (source.renamedFrom ?? source.path) : source.path;
      return (file?.tests ?? []).map((test) => ({ path, test }));
    });
  }

  /** A test that asks for too much work is not judged, and that is said. */
  #guarded(about: Placed, judge: () => WeakenedTest[]): void {
    try {
      this.#found.push(...judge());
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      const message = `${naming(about.test)} was not judged: ${error.message}`;
      this.#found.push({
        kind: "unread",
        severity: "weakened",
        path: about.path,
        line: about.test.line,
        side: "after",
        message,
      });
    }
  }

  #pair(before: Placed, after: Placed): WeakenedTest[] {
    const found = compareTest(before, after, {
      isElsewhere: (assertion) => this.#isElsewhere(assertion),
      checkedBy: (name) => this.#helpers.get(name)?.flatMap(({ test }) => assertionsOf(test) ?? []),
    });
    return [...found, ...this.#away(before, after)];
  }

  /** Whether the runner still finds a test that has moved or is announced in another way. */
  #away(before: Placed, after: Placed): WeakenedTest[] {
    if (before.test.kind !== "test") return [];
    const place = {
      kind: "renamed-away",
      path: after.path,
      line: after.test.line,
      side: "after",
      test: fullTitle(after.test),
    } as const;
    const [from, to] = [collectedRank(before.path), collectedRank(after.path)];
    const isRenamed = this.#files.some(
      ({ source }) => source.path === after.path && source.renamedFrom === before.path,
    );
    if (before.path !== after.path && to < from && !isRenamed) {
      const message = `${naming(after.test)}: it moved from ${shown(before.path)} to ${shown(after.path)}, where test runners do not look`;
      return [{ ...place, severity: "weakened", message }];
    }
    const { runner } = after.test;
    if (before.test.runner === runner || before.test.runner !== "test") return [];
    const defined = this.#helpers.get(runner)?.find(({ test }) => test.kind === "plain");
    if (defined && /\b(?:test|it|specify)\b/.test(defined.test.text)) return [];
    const message = `${naming(after.test)}: it was announced by the test runner's own word before, and by ${shown(runner)} now${defined ? ", which announces no test" : ""}`;
    return [{ ...place, severity: defined ? "weakened" : "note", message }];
  }

  /** Takes a demand that another test makes now and did not make before, once for each time it is made. */
  #isElsewhere(assertion: Assertion): boolean {
    this.#moved ??= this.#newDemands();
    const key = keyOf(assertion);
    const count = this.#moved.get(key) ?? 0;
    if (count > 0) this.#moved.set(key, count - 1);
    return count > 0;
  }

  #newDemands(): Map<string, number> {
    const counts = new Map<string, number>();
    const isChanged = ([{ test }, old]: readonly [Placed, Placed | undefined]) =>
      test.kind !== "plain" &&
      test.text !== old?.test.text &&
      !test.marks.some(({ kind }) => kind === "skip");
    for (const [now, old] of this.#news.filter(isChanged)) {
      const had = countDemands(old?.test);
      if (had === undefined) continue;
      for (const [key, count] of countDemands(now.test) ?? []) {
        const more = Math.max(0, count - (had.get(key) ?? 0));
        counts.set(key, (counts.get(key) ?? 0) + more);
      }
    }
    return counts;
  }
}

/** How often a test makes each demand; undefined where it asks for too much work to be read. */
function countDemands(test: Placed["test"] | undefined): Map<string, number> | undefined {
  const assertions = test === undefined ? [] : assertionsOf(test);
  if (assertions === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const one of assertions) {
    if (one.hold === "certain") counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  }
  return counts;
}

function keyOf({ family, normal }: Assertion): string {
  return `${family} ${normal}`;
}

function groupByTitle(placed: readonly Placed[]): ReadonlyMap<string, readonly Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const one of placed) {
    if (one.test.kind !== "plain") continue;
    const group = groups.get(one.test.title);
    if (group) group.push(one);
    else groups.set(one.test.title, [one]);
  }
  return groups;
}

/** A suite that is skipped is said once, not once for each of its tests. */
function withoutRepetition(found: readonly WeakenedTest[]): WeakenedTest[] {
  const seen = new Set<string>();
  return found.filter(({ kind, path, line, message }) => {
    const said = message.slice(message.indexOf('": ') + 1);
    const key = kind === "skipped" ? `${path} ${line}` : `${kind} ${path} ${line} ${said}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

import { assertionsOf } from "./assertions-of.ts";
import type { FilePair } from "./changed-tests.ts";
import { naming, type Placed } from "./compare-test.ts";
import type { RemovedSubjects } from "./removed-subjects.ts";
import { type Assertion, fullTitle } from "./test-case.ts";
import { shown, type WeakenedTest } from "./weakened-test.ts";

/** What else there is in a change in which tests are gone. */
export interface GoneScene {
  readonly fresh: readonly Placed[];
  readonly files: readonly FilePair[];
  readonly subjects: RemovedSubjects;
  readonly isElsewhere: (assertion: Assertion) => boolean;
}

const NAMED_MAX = 3;
const PLAIN_MAX = 500;
const TABLES_MAX = 10;
const ROWS_MAX = 300;
const VALUES_MAX = 50;
/** Shorter functions are alike by chance. */
const BODY_CHARS_MIN = 12;

/** Says of each test that is gone why that is a loss, or why it may be none. */
export function goneFindings(gone: readonly Placed[], scene: GoneScene): WeakenedTest[] {
  const found: WeakenedTest[] = [];
  const byFile = new Map<string, Placed[]>();
  // Beyond these nothing is searched for an excuse; the test is then reported as gone.
  const plain = scene.fresh.filter(({ test }) => test.kind === "plain").slice(0, PLAIN_MAX);
  const tables = scene.fresh.filter(({ test }) => test.rows.length > 0).slice(0, TABLES_MAX);
  for (const one of gone) {
    if (!demandsSomething(one)) continue;
    const why = excuse(one, { ...scene, plain, tables });
    if (why !== undefined) found.push(finding(one, why));
    else {
      const others = byFile.get(one.path) ?? [];
      others.push(one);
      byFile.set(one.path, others);
    }
  }
  for (const [path, lost] of byFile) {
    const file = scene.files.find(({ source }) => (source.renamedFrom ?? source.path) === path);
    const isDeleted = file?.source.after === undefined;
    found.push(
      ...(isDeleted
        ? deletedFile(path, lost, file, scene)
        : lost.map((one) => finding(one, lossOf(one)))),
    );
  }
  return found;
}

function demandsSomething({ test }: Placed): boolean {
  if (test.kind === "plain") return false;
  return test.kind === "test" || assertionsOf(test)?.some(({ strength }) => strength > 0) !== false;
}

interface Why {
  readonly kind: "removed" | "renamed-away";
  readonly severity: "weakened" | "note";
  readonly words: string;
  /** Where it stands now, where it still stands somewhere. */
  readonly now?: Placed;
}

/** Where a test may have gone. */
interface Places {
  readonly plain: readonly Placed[];
  readonly tables: readonly Placed[];
}

/** Where a test went, or why nobody needs it any more. */
function excuse(
  one: Placed,
  { plain, tables, subjects, isElsewhere }: GoneScene & Places,
): Why | undefined {
  const note = (words: string): Why => ({ kind: "removed", severity: "note", words });
  const { test } = one;
  const away = plain.find((other) => isAway(one, other));
  if (away) {
    const words = `the runner found it before; now it is the function ${shown(away.test.title)} in ${shown(away.path)}, which no runner calls`;
    return { kind: "renamed-away", severity: "weakened", words, now: away };
  }
  if (test.marks.some(({ kind }) => kind === "skip"))
    return note("it did not run before, and is gone");
  const subject = subjects.in(test.text);
  if (subject !== undefined)
    return note(`it is gone, and so is ${shown(subject)}, which it tested`);
  const demands = assertionsOf(test)?.filter(({ strength }) => strength > 0);
  if (demands === undefined) return undefined;
  if (demands.length === 0) return note("it is gone; it demanded nothing that could fail");
  if (demands.filter((demand) => !isElsewhere(demand)).length === 0) {
    return note("it is gone; other tests of this change demand the same now");
  }
  const table = tables.find((other) => coversCase(other, demands));
  return table && note(`it is gone; the table of "${shown(table.test.title)}" has its values`);
}

/** `test_x` that became `_test_x`, `x` or `disabled_test_x`, or a test whose function stands alone now. */
function isAway({ test }: Placed, { test: now }: Placed): boolean {
  if (now.kind !== "plain") return false;
  if (test.text.length >= BODY_CHARS_MIN && now.text.endsWith(test.text)) return true;
  if (test.runner !== "def") return false;
  const bare = test.title.replace(/^test_?/, "");
  return now.title !== bare ? now.title.endsWith(test.title) : bare.length > 3;
}

/** Whether a row of a new table has all values that an old test was about; a guess, and said as one. */
function coversCase({ test }: Placed, demands: readonly Assertion[]): boolean {
  const literal = /"[^"]*"|\b\d[\w.]*|\b(?:true|false|null|None|True|False)\b/g;
  const values = demands
    .slice(0, VALUES_MAX)
    .flatMap(({ normal }) => normal.match(literal) ?? [])
    .slice(0, VALUES_MAX);
  const rows = test.rows.slice(0, ROWS_MAX);
  return values.length > 0 && rows.some((row) => values.every((value) => row.includes(value)));
}

function lossOf({ test }: Placed): Why {
  const demands = assertionsOf(test) ?? [];
  const [first] = demands;
  const more = demands.length > 1 ? ` and ${demands.length - 1} more` : "";
  const demanded = first ? `it demanded \`${shown(first.text)}\`${more} before, and` : "it";
  return { kind: "removed", severity: "weakened", words: `${demanded} is gone` };
}

function finding({ path, test }: Placed, { kind, severity, words, now }: Why): WeakenedTest {
  return {
    kind,
    severity,
    path: now?.path ?? path,
    line: now?.test.line ?? test.line,
    side: now ? "after" : "before",
    test: fullTitle(test),
    message: `${naming(test)}: ${words}`,
  };
}

/** A deleted file is said once. */
function deletedFile(
  path: string,
  lost: readonly Placed[],
  file: FilePair | undefined,
  { subjects }: GoneScene,
): WeakenedTest[] {
  const subject = file?.before && subjects.ofFile(path, file.before);
  const named = lost.slice(0, NAMED_MAX).map(({ test }) => `"${shown(fullTitle(test))}"`);
  const more = lost.length > NAMED_MAX ? ` and ${lost.length - NAMED_MAX} more` : "";
  const what = lost.length === 1 ? "1 test" : `${lost.length} tests`;
  const message = `${path} is gone with ${what}: ${named.join(", ")}${more}`;
  const [first] = lost;
  const place = { kind: "removed", path, side: "before", line: first?.test.line ?? 1 } as const;
  return [
    subject === undefined
      ? { ...place, severity: "weakened", message }
      : {
          ...place,
          severity: "note",
          message: `${message}; so is ${shown(subject)}, which it tested`,
        },
  ];
}

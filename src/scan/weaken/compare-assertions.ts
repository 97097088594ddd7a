import { type Loss, lossBetween, TASTE } from "./judge-assertion.ts";
import type { Assertion, Hold } from "./test-case.ts";

/** What a test no longer demands in one place; without `after` nothing stands there any more. */
export interface LostDemand extends Loss {
  readonly kind: "loosened" | "removed" | "unreachable";
  readonly before: Assertion;
  readonly after?: Assertion;
}

const RANKS: readonly Hold[] = ["certain", "conditional", "swallowed", "unreachable"];
const HELD: Readonly<Record<Hold, string>> = {
  certain: "",
  conditional: "it is reached on a condition only",
  swallowed: "its failure is not heard",
  unreachable: "it is never reached",
};

/**
 * Compares what a test demanded with what it demands now. Each old assertion is held against the
 * new one that is nearest to it: the same, the same thing examined, the same value expected, and at
 * last whatever is left. `elsewhere` answers whether a demand has moved to another test.
 */
export function compareAssertions(
  before: readonly Assertion[],
  after: readonly Assertion[],
  elsewhere: (assertion: Assertion) => boolean,
): LostDemand[] {
  const left = new Map(after.map((one) => [one, one.times]));
  const lost: LostDemand[] = [];
  const take = (one: Assertion, other: Assertion | undefined, judge: Judge): boolean => {
    if (other === undefined) return false;
    left.set(other, (left.get(other) ?? 0) - 1);
    const loss = heldLess(one, other) ?? judge(one, other);
    if (loss !== undefined) lost.push({ kind: "loosened", ...loss, before: one, after: other });
    return true;
  };
  const steps: readonly Step[] = [
    [({ normal, family, expected }) => [family, normal, ...expected].join(" "), () => undefined],
    [({ subject, family }) => subject && `${family} ${subject}`, lossBetween],
    [({ subject }) => subject, lossBetween],
    [sameButName, () => undefined],
    [sameExpected, examinesOther],
  ];
  let open: readonly Assertion[] = before;
  for (const [keyOf, judge] of steps) {
    const byKey = grouped(remaining(left), keyOf);
    open = open.filter((one) => !take(one, nextIn(byKey.get(keyOf(one)), left), judge));
  }
  const missing = open.filter(
    (one) => one.strength > 0 && !isCovered(one, after) && !elsewhere(one),
  );
  return [...lost, ...replaced(missing, remaining(left))];
}

type Judge = (before: Assertion, after: Assertion) => Loss | undefined;
type Step = readonly [(assertion: Assertion) => string, Judge];

/** Those that no old assertion was held against yet; one in a loop stands for several. */
function remaining(left: ReadonlyMap<Assertion, number>): Assertion[] {
  return [...left].flatMap(([one, times]) => (times > 0 ? [one] : []));
}

function nextIn(
  group: Assertion[] | undefined,
  left: ReadonlyMap<Assertion, number>,
): Assertion | undefined {
  while (group?.[0] !== undefined && (left.get(group[0]) ?? 0) <= 0) group.shift();
  return group?.[0];
}

/** Assertions by a key, in their order; an empty key stands for none. */
function grouped(
  assertions: Iterable<Assertion>,
  keyOf: (one: Assertion) => string,
): Map<string, Assertion[]> {
  const groups = new Map<string, Assertion[]>();
  for (const one of assertions) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else if (key !== "") groups.set(key, [one]);
  }
  return groups;
}

function heldLess(
  before: Assertion,
  after: Assertion,
): (Loss & { kind: "loosened" | "unreachable" }) | undefined {
  if (RANKS.indexOf(after.hold) <= RANKS.indexOf(before.hold)) return undefined;
  const kind = after.hold === "unreachable" ? "unreachable" : "loosened";
  return { kind, severity: "weakened", why: HELD[after.hold] };
}

/** The same for two assertions about the same member of a variable that only got another name. */
function sameButName(one: Assertion): string {
  const { subject, family, isNegated, expected } = one;
  if (!/^[A-Za-z_$][\w$]*(?: [.[]|$)/.test(subject)) return "";
  const renamed = subject.replace(/^[A-Za-z_$][\w$]*/, "_");
  return [family, isNegated, renamed, ...expected].join(" , ");
}

function sameExpected({ family, isNegated, expected }: Assertion): string {
  return expected.length === 0 ? "" : [family, isNegated, ...expected].join(" , ");
}

const examinesOther: Judge = (before, after) => {
  if (after.strength < before.strength) return lossBetween(before, after);
  return { severity: "note", why: "something else is examined now" };
};

/** One demand for a whole thing covers those for its parts, where it names their values. */
function isCovered({ subject, expected, family }: Assertion, after: readonly Assertion[]): boolean {
  const [wanted = ""] = expected;
  return after.some(
    (one) =>
      !one.isNegated &&
      /^(?:equals|alike|subset)$/.test(one.family) &&
      one.subject !== "" &&
      subject.startsWith(`${one.subject} `) &&
      (family === "length" ||
        family === "defined" ||
        (wanted !== "" && (one.expected[0] ?? "").includes(wanted))),
  );
}

/** What is left on both sides was rewritten, as far as as much is demanded; the rest is gone. */
function replaced(missing: readonly Assertion[], left: readonly Assertion[]): LostDemand[] {
  const news = left
    .filter(({ hold }) => hold === "certain" || hold === "conditional")
    .toSorted((a, b) => b.strength - a.strength);
  return missing
    .toSorted((a, b) => b.strength - a.strength)
    .map((before) => {
      const at = news.findIndex(({ strength }) => strength >= before.strength - TASTE);
      const [after] = at < 0 ? news.splice(-1) : news.splice(at, 1);
      if (after === undefined) {
        return {
          kind: "removed",
          severity: "weakened",
          why: "nothing demands it any more",
          before,
        };
      }
      return at < 0
        ? { kind: "loosened", severity: "weakened", why: "it demands less now", before, after }
        : { kind: "loosened", severity: "note", why: "it was rewritten", before, after };
    });
}

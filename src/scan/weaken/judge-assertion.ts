import { isFixed, isLiteral } from "./strength.ts";
import type { Assertion } from "./test-case.ts";

/** How an assertion demands less, in words, and how sure that is. */
export interface Loss {
  readonly severity: "weakened" | "note";
  readonly why: string;
  /** Whether as much is demanded as before, only something else. */
  readonly isRewrite?: true;
}

const weakened = (why: string): Loss => ({ severity: "weakened", why });
const rewritten = (): Loss => ({ ...weakened("another value is expected now"), isRewrite: true });
const note = (why: string): Loss => ({ severity: "note", why });
/** Between two ways of examining that are this close, people choose by taste. */
export const TASTE = 5;
const BROAD_ERRORS = /^(?:Base)?Exception$|^Error$/;

/** What the second assertion about a thing no longer demands that the first one did. */
export function lossBetween(before: Assertion, after: Assertion): Loss | undefined {
  if (after.strength === 0 && before.strength > 0) return weakened("nothing can fail it any more");
  if (before.isNegated !== after.isNegated) return turned(before, after);
  if (after.strength < before.strength) return weaker(before, after);
  if (before.family === after.family) return sameManner(before, after);
  if (after.strength > before.strength) {
    return contradicts(before, after) ? rewritten() : undefined;
  }
  return isSame(before, after) ? undefined : note("it is examined in another way now");
}

function turned(before: Assertion, after: Assertion): Loss | undefined {
  if (before.family === after.family && isSame(before, after)) {
    return weakened("it demands the opposite now");
  }
  const isStronger = !after.isNegated && after.strength >= before.strength;
  return isStronger ? undefined : weakened("it demands less now");
}

function weaker(before: Assertion, after: Assertion): Loss {
  if (before.strength - after.strength <= TASTE && isSame(before, after)) {
    return note("it demands a little less now");
  }
  return weakened("it demands less now");
}

function isSame({ expected: one }: Assertion, { expected: other }: Assertion): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

function sameManner(before: Assertion, after: Assertion): Loss | undefined {
  if (isSame(before, after)) return undefined;
  const [one = "", other = ""] = [before.expected[0], after.expected[0]];
  switch (before.family) {
    case "above":
    case "below":
      return bound(one, other, before.family === "above");
    case "close":
      return close(before, after);
    case "throws":
      return thrown(before.expected, after.expected);
    case "contains":
    case "matches":
      return part(one, other);
    case "type":
    case "snapshot":
      return note("the expectation was rewritten");
    case "subset":
      return grows(one, other) ? undefined : changed(one, other, false);
    default:
      if (before.family.startsWith("own:")) return note("it is given something else now");
      return changed(one, other, after.expected.length < before.expected.length);
  }
}

function changed(one: string, other: string, isShorter: boolean): Loss {
  if (isShorter) return weakened("it expects less now");
  if (countWild(other) > countWild(one)) return weakened("it takes more values now");
  if (grows(one, other)) return note("more is expected now");
  if (isCollection(one) && grows(other, one)) return weakened("less is expected now");
  // What is computed cannot be compared by its text: a constant may have got a name.
  return isFixed(one) && isFixed(other)
    ? rewritten()
    : note("what is expected is written in another way now");
}

function isCollection(text: string): boolean {
  return /^[[{(]/.test(text);
}

/** Whether a list or object holds all that another one held, in its order, and more. */
function grows(one: string, other: string): boolean {
  if (!isCollection(one) || !isCollection(other)) return false;
  const wanted = one.split(" ");
  let at = 0;
  for (const token of other.split(" ")) if (token === wanted[at]) at += 1;
  return at === wanted.length;
}

function countWild(text: string): number {
  return text.match(/\bexpect \. \w{1,40} \(|\bANY\b/g)?.length ?? 0;
}

function toNumber(text: string): number | undefined {
  const value = Number(text.replaceAll(/[\s_]/g, ""));
  return text === "" || Number.isNaN(value) ? undefined : value;
}

function bound(one: string, other: string, isAbove: boolean): Loss | undefined {
  const [from, to] = [toNumber(one), toNumber(other)];
  if (from === undefined || to === undefined) return note("its bound is another one now");
  return (isAbove ? to < from : to > from) ? weakened("its bound is wider now") : undefined;
}

/** Digits count the other way round than distances. */
function close(before: Assertion, after: Assertion): Loss | undefined {
  const [one = "", ...room] = before.expected;
  const [other = "", ...newRoom] = after.expected;
  if (one !== other) return changed(one, other, false);
  const [from, to] = [tolerance(room), tolerance(newRoom)];
  if (from === undefined || to === undefined) return note("its tolerance is another one now");
  return to > from ? weakened("its tolerance is wider now") : undefined;
}

function tolerance(room: readonly string[]): number | undefined {
  const [first = "2"] = room;
  const [, name = "", text = first] = /^(\w{1,20}) = (.*)$/s.exec(first) ?? [];
  const value = toNumber(text);
  if (value === undefined) return undefined;
  const isDistance = /^(?:abs|rel|delta|rtol|atol|rel_tol|abs_tol)$/.test(name) || value < 1;
  return isDistance && value !== 0 ? value : 10 ** -value;
}

function thrown(before: readonly string[], after: readonly string[]): Loss | undefined {
  const [one = "", other = ""] = [before[0], after[0]];
  if (after.length < before.length) return weakened("any other error passes now");
  if (one === other || before.length === 0) {
    return after.length > before.length ? undefined : rewritten();
  }
  if (BROAD_ERRORS.test(other) && !BROAD_ERRORS.test(one))
    return weakened("a broader error passes now");
  if (BROAD_ERRORS.test(one)) return undefined;
  const isWider = other.startsWith("(") && other.includes(one);
  if (isWider) return weakened("more errors pass now");
  return part(one, other);
}

/** A longer text is found in fewer places. */
function part(one: string, other: string): Loss | undefined {
  const [from, to] = [inside(one), inside(other)];
  if (from !== "" && to.includes(from)) return undefined;
  if (to !== "" && from.includes(to)) return weakened("it looks for less now");
  return isFixed(one) && isFixed(other)
    ? rewritten()
    : note("what is expected is written in another way now");
}

function inside(text: string): string {
  return text.replace(/^["'`/]/, "").replace(/["'`/][a-z]{0,8}$/, "");
}

/** Whether a stronger demand for one value rules out what the weaker one asked for. */
function contradicts(before: Assertion, after: Assertion): boolean {
  const [one = "", other = ""] = [before.expected[0], after.expected[0]];
  if (after.family !== "equals" || after.isNegated || !isLiteral(other)) return false;
  if (before.family === "contains") return isLiteral(one) && !other.includes(inside(one));
  if (before.family === "defined") return /^(?:null|undefined)$/.test(other);
  if (before.family === "truthy") return /^(?:null|undefined|false|0|"")$/.test(other);
  const [from, to] = [toNumber(one), toNumber(other)];
  if (from === undefined || to === undefined) return false;
  return before.family === "above" ? to < from : before.family === "below" && to > from;
}

import type { Found } from "../reviewer.ts";
import type { Declared, Manifest } from "./declared.ts";
import { POPULAR } from "./popular-names.ts";

/** Shorter names are one edit away from everything. */
const NAME_CHARS_MIN = 5;
const FINDINGS_MAX = 20;

/** Names that differ by one letter from one that everybody knows: a slip, or somebody's trap. */
export function checkNames({ declared, ecosystem }: Manifest): Found[] {
  const popular = POPULAR[ecosystem];
  return (
    declared
      // With an alias the real name stands in the range, and the own one is free.
      .filter(
        ({ name, range }) =>
          !name.startsWith("@") && !range.startsWith("npm:") && !popular.has(name),
      )
      .flatMap((one) => {
        const meant = [...popular].find((known) => isOneEditAway(one.name, known));
        return meant === undefined ? [] : [toFound(one, meant)];
      })
      .slice(0, FINDINGS_MAX)
  );
}

function toFound({ name, at }: Declared, meant: string): Found {
  return {
    priority: "P3",
    category: "lookalike-name",
    title: `${name} is one letter away from ${meant}`.slice(0, 500),
    citations: [at],
    issue: `\`${meant}\` is used by very many; \`${name}\` may be a slip, or a package that waits for one.`,
    fix: `Check that \`${name}\` is the package that is wanted.`,
  };
}

/** Whether one letter put in, taken out, changed or swapped with its neighbour makes them equal. */
export function isOneEditAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  if (Math.min(a.length, b.length) < NAME_CHARS_MIN) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const restOf = (text: string, from: number) => text.slice(from);
  if (a.length > b.length) return restOf(a, at + 1) === restOf(b, at);
  if (a.length < b.length) return restOf(a, at) === restOf(b, at + 1);
  if (restOf(a, at + 1) === restOf(b, at + 1)) return true;
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at];
  return isSwapped && restOf(a, at + 2) === restOf(b, at + 2);
}

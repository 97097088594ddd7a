import type * as z from "zod";
import { expectedWords, foundWords, memberNames, shapeAt, valueAt } from "./expected-words.ts";
import { nearest } from "./nearest.ts";

/** More than this is not read; the rest shows when these are put right. */
const ISSUES_MAX = 5;
/** A longer list hides the one that was meant. */
const LISTED_MAX = 8;

/** What was judged, by which shape, and how its parts are called where it came from. */
export interface Judged {
  readonly shape: z.core.$ZodType;
  readonly input: unknown;
  /** How the place at a path is called; the path itself where nothing else is said. */
  readonly nameOf?: (path: readonly PropertyKey[]) => string;
}

/**
 * Everything that is wrong with an input, in words: each place with what was expected there, what was
 * found, and the nearest right word. This is the only place that speaks of a shape's findings.
 */
export function issueWords(issues: readonly z.core.$ZodIssue[], judged: Judged): string {
  const all = issues.flatMap((issue) => wordsOf(issue, judged));
  const more = all.length - ISSUES_MAX;
  return [...all.slice(0, ISSUES_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function wordsOf(issue: z.core.$ZodIssue, judged: Judged): string[] {
  const { input, nameOf = pathWords } = judged;
  const { code, path } = issue;
  if (code === "unrecognized_keys") return unknownMembers(issue, judged);
  if (code === "invalid_key") {
    return [`${nameOf(path.slice(0, -1))}: ${foundWords(path.at(-1))} cannot be a name in it`];
  }
  const found = valueAt(input, path);
  return [found === undefined ? missingWords(issue, judged) : wrongWords(issue, judged, found)];
}

function missingWords(
  issue: z.core.$ZodIssue,
  { shape, input, nameOf = pathWords }: Judged,
): string {
  const { code, path } = issue;
  // Without the member that tells kinds apart nothing else is judged, a misspelt one of them included.
  const given = code === "invalid_union" ? membersGiven(input, path.slice(0, -1)) : [];
  const misspelt = nearest(String(path.at(-1)), given);
  const instead = misspelt === undefined ? "" : `, found ${misspelt}`;
  const expected = wanted(issue, shapeAt(shape, input, path), "brief");
  return `${nameOf(path)} is missing (expected ${expected}${instead})`;
}

function wrongWords(issue: z.core.$ZodIssue, judged: Judged, found: unknown): string {
  const { shape, input, nameOf = pathWords } = judged;
  const name = issue.path.length === 0 ? "" : `${nameOf(issue.path)}: `;
  const choices = choicesOf(issue);
  const meant = typeof found === "string" ? nearest(found, choices) : undefined;
  const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  if (meant !== undefined && choices.length > LISTED_MAX) {
    return `${name}there is no ${foundWords(found)}${hint}`;
  }
  // A number that was given as text is judged by what it may be, not by how long the text is.
  const side = typeof found === "string" && isOfNumber(issue) ? "out" : "in";
  const expected = wanted(issue, shapeAt(shape, input, issue.path, side));
  return `${name}expected ${expected}, found ${sizeOr(issue, found)}${hint}`;
}

/** What the issue itself says it wanted, where its shape says it in words of ours; else what the shape says. */
function wanted(
  issue: z.core.$ZodIssue,
  shape: z.core.$ZodType | undefined,
  brief?: "brief",
): string {
  const own = /^expected (.+)$/.exec(issue.message)?.[1];
  if (own !== undefined) return own;
  const choices = choicesOf(issue);
  return choices.length > 0 ? `one of ${choices.join(", ")}` : expectedWords(shape, brief);
}

function choicesOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  // The kinds of a union that tells them apart by one member.
  const { options } = issue as { options?: unknown };
  return Array.isArray(options) ? options.map(String) : [];
}

function sizeOr(issue: z.core.$ZodIssue, found: unknown): string {
  const isTooLong = issue.code === "too_big" && typeof found === "string" && !isOfNumber(issue);
  return isTooLong ? `${found.length} characters` : foundWords(found);
}

function isOfNumber(issue: z.core.$ZodIssue): boolean {
  const isBound = issue.code === "too_big" || issue.code === "too_small";
  return isBound && ["number", "int"].includes(issue.origin);
}

function unknownMembers(issue: z.core.$ZodIssueUnrecognizedKeys, judged: Judged): string[] {
  const { shape, input, nameOf = pathWords } = judged;
  const known = memberNames(shapeAt(shape, input, issue.path));
  const given = membersGiven(input, issue.path);
  return issue.keys.map((key) => {
    const missing = known.filter((name) => !given.includes(name));
    const meant = nearest(key, missing) ?? nearest(key, known);
    const then =
      meant === undefined ? `; its fields are ${known.join(", ")}` : ` (did you mean ${meant}?)`;
    return `${nameOf([...issue.path, key])} is not a field of it${then}`;
  });
}

function membersGiven(input: unknown, path: readonly PropertyKey[]): string[] {
  return Object.keys((valueAt(input, path) as object | undefined) ?? {});
}

function pathWords(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`,
    )
    .join("");
}

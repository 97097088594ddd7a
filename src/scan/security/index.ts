import { PRIORITIES, type Priority } from "../../schema/priority.ts";
import { SECURITY } from "../file-members.ts";
import { isMinified, isTestCode } from "../kind/index.ts";
import type { FileReviewer, Found, SourceFile } from "../reviewer.ts";
import { Machine } from "./engine/machine.ts";
import { trace } from "./engine/resolve.ts";
import { toFinding, toPlainFinding } from "./finding.ts";
import { readProgram } from "./lower/index.ts";

const FILE_CHARS_MAX = 2_000_000;
const LONG_LINE_CHARS = 1_500;

/**
 * The built-in security reviewer: it follows values from where they enter a file to where they do
 * harm. It believes nothing that the reviewed code says about itself, comments included.
 */
export const security: FileReviewer = {
  ...SECURITY,
  passesOver: ({ text }) => {
    if (text.length > FILE_CHARS_MAX) return `it is longer than ${FILE_CHARS_MAX} characters`;
    return isMinified(text, LONG_LINE_CHARS)
      ? "most of it stands in lines that nobody wrote by hand"
      : undefined;
  },
  review,
};

function review({ path, text }: SourceFile, leaveOut: (why: string) => void = () => {}): Found[] {
  if (security.passesOver?.({ path, text }) !== undefined) return [];
  const program = readProgram(path, text);
  if (program === undefined) return [];
  const machine = new Machine(program);
  machine.interpret();
  if (program.isCut || machine.isCut) leaveOut("what is nested too deep or too large in it");
  const traced = machine.hits.flatMap((hit) => trace(hit, (one) => machine.stateOf(one)) ?? []);
  const found = [
    ...traced.map((one) => toFinding(one, path, program.lines)),
    ...machine.plainHits.map((hit) => toPlainFinding(hit, path, program.lines)),
  ];
  return withoutRepeats(isTestCode(path) ? found.map(lowered) : found);
}

const LOWER: Readonly<Record<Priority, Priority>> = { P1: "P2", P2: "P3", P3: "P3" };

/** No stranger reaches a test; what is wrong there is worth a word all the same. */
function lowered(found: Found): Found {
  return { ...found, priority: LOWER[found.priority] };
}

/** Lines that a weakness may stand apart from the same one before it and still be one of its places. */
const NEAR_LINES = 4;
const PLACES_MAX = 6;

/**
 * The same weakness at the same line is said once, and so is one that stands again a few lines on:
 * three writes of one loop are one thing to repair. Its highest priority counts.
 */
function withoutRepeats(found: readonly Found[]): Found[] {
  const kept = new Map<string, Found[]>();
  for (const one of found.toSorted((a, b) => lineOf(a) - lineOf(b))) {
    const before = kept.get(one.category ?? "") ?? [];
    const last = before.at(-1);
    const isNear = last !== undefined && lineOf(one) - lineOf(last) <= NEAR_LINES;
    if (isNear) before[before.length - 1] = together(last, one);
    else before.push(one);
    kept.set(one.category ?? "", before);
  }
  return [...kept.values()].flat().sort((a, b) => lineOf(a) - lineOf(b));
}

const lineOf = ({ citations }: Found): number => citations[0]?.line ?? 0;

/** The more urgent of the two tells what it is; the other one's place comes along. */
function together(first: Found, second: Found): Found {
  const isWorse = PRIORITIES.indexOf(second.priority) < PRIORITIES.indexOf(first.priority);
  const [told, other] = isWorse ? [second, first] : [first, second];
  const lines = new Set(told.citations.map(({ line }) => line));
  const more = other.citations.filter(({ line }) => !lines.has(line));
  return { ...told, citations: [...told.citations, ...more].slice(0, PLACES_MAX) };
}

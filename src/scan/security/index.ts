import { PRIORITIES, type Priority } from "../../schema/finding.ts";
import { isMinified, isTestCode } from "../kind/index.ts";
import type { FileReviewer, Found, SourceFile } from "../reviewer.ts";
import { isReadable } from "../syntax/index.ts";
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
  name: "security",
  role: "follows values from outside to where they do harm",
  prefix: "SEC",
  doubtsMarks: true,
  covers: (path) => isReadable(path),
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

/** The same category at the same line is said once, with its highest priority. */
function withoutRepeats(found: readonly Found[]): Found[] {
  const kept = new Map<string, Found>();
  for (const one of found) {
    const key = `${one.category}:${one.citations[0]?.line}`;
    const known = kept.get(key);
    const isWorse =
      known === undefined || PRIORITIES.indexOf(one.priority) < PRIORITIES.indexOf(known.priority);
    if (isWorse) kept.set(key, one);
  }
  return [...kept.values()].sort(
    (a, b) => (a.citations[0]?.line ?? 0) - (b.citations[0]?.line ?? 0),
  );
}

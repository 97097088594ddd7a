import { commandLoss } from "./test-command.ts";
import { type ChangedSource, shown, type WeakenedTest } from "./weakened-test.ts";

const LINE_CHARS_MAX = 2_000;
/** What runs tests in a step of a pipeline or in a rule of a makefile. */
const RUNNING =
  /\b(?:pytest|vitest|jest|mocha|tox|nox|unittest|node --test|(?:npm|pnpm|yarn|bun)(?: run)? (?:test|check|ci:test|coverage)|make (?:test|check)|go test|cargo test)\b/;
/** Words by which a step that fails, or does not run, counts as success. */
const FORGIVING =
  /^-?\s*(?:continue-on-error:\s*true|allow_failure:\s*true|if:\s*(?:false|\$\{\{\s*false\s*\}\}))\s*$/;

interface Line {
  readonly text: string;
  readonly number: number;
}

/** How the pipeline that runs the tests lets less of them count, judged line by line. */
export function comparePipeline({ path, before, after }: ChangedSource): WeakenedTest[] {
  if (before === undefined) return [];
  const [old, now] = [linesOf(before), linesOf(after ?? "")];
  const said = [...forgivingSaid(old, now), ...commandsSaid(old, now)];
  return said.map(({ message, ...one }) => ({
    kind: "config",
    path,
    side: "after",
    ...one,
    message: `${path}: ${message}`,
  }));
}

type Said = Pick<WeakenedTest, "severity" | "message" | "line">;

/** A line that forgives, where there are more of them now. */
function forgivingSaid(old: readonly Line[], now: readonly Line[]): Said[] {
  const isForgiving = ({ text }: Line) => FORGIVING.test(text);
  const more = now.filter(isForgiving)[old.filter(isForgiving).length];
  if (more === undefined) return [];
  const message = `\`${shown(more.text)}\` is new: a failure counts as success`;
  return [{ severity: "weakened", line: more.number, message }];
}

function commandsSaid(old: readonly Line[], now: readonly Line[]): Said[] {
  const fresh = without(now.filter(isRunning), old);
  return without(old.filter(isRunning), now).flatMap(({ text }): Said[] => {
    const at = fresh.findIndex((one) => runnerIn(one.text) === runnerIn(text));
    const [next] = at < 0 ? [] : fresh.splice(at, 1);
    if (next === undefined) return [goneSaid(text, now.some(isRunning))];
    const message = commandLoss(text, next.text);
    return message === undefined ? [] : [{ severity: "weakened", line: next.number, message }];
  });
}

/** Another step may do what one did; where none is left, nothing does. */
function goneSaid(command: string, hasOthers: boolean): Said {
  const was = `it ran \`${shown(command)}\` before`;
  return hasOthers
    ? { severity: "note", message: `${was}, and does not now` }
    : { severity: "weakened", message: `${was}, and runs no test now` };
}

function linesOf(text: string): Line[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.slice(0, LINE_CHARS_MAX).trim(), number: index + 1 }))
    .filter((line) => line.text !== "" && !line.text.startsWith("#"));
}

const isRunning = ({ text }: Line): boolean => RUNNING.test(text);

function runnerIn(text: string): string {
  return RUNNING.exec(text)?.[0] ?? "";
}

/** Lines that the others do not have, each as often as it is missing. */
function without(lines: readonly Line[], others: readonly Line[]): Line[] {
  const counts = new Map<string, number>();
  for (const { text } of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return lines.filter(({ text }) => {
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}

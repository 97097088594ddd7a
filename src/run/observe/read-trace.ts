import type { ProcessTrace } from "../../sandbox/index.ts";
import { type ObservedProcess, toProcesses } from "./observed-process.ts";
import { ProcessTable } from "./process-table.ts";
import { parseTraceLine } from "./trace-line.ts";

/** Longer than any line can be, with the bounds that strace was given. */
const LINE_CHARS_MAX = 8 << 20;
/** Enough for hundreds of thousands of programs; what comes after it is not looked at. */
const TRACE_BYTES_MAX = 256 << 20;

/** Everything that ran in a sandbox. */
export interface Observed {
  readonly processes: readonly ObservedProcess[];
  /** Why something may have run unseen, in words; empty when nothing can have. */
  readonly gaps: readonly string[];
}

/**
 * Reads what strace writes until it ends, which is when the sandbox does. A line that is not
 * understood, an end that was not seen, or more than is kept: each is a gap, and said.
 */
export async function readTrace(
  { lines, launcher, cwd }: ProcessTrace,
  onChild?: () => void,
): Promise<Observed> {
  const table = new ProcessTable({ launcher, cwd }, onChild);
  let bytes = 0;
  let rest: string[] = [];
  let restChars = 0;
  const take = (line: string) => {
    const parsed = parseTraceLine(line);
    if (parsed === undefined) table.gaps.add("a line of the trace could not be read");
    else table.take(parsed);
  };
  try {
    for await (const chunk of lines as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // It is still taken in, or everything inside would wait.
      if (bytes > TRACE_BYTES_MAX) continue;
      const [first = "", ...more] = chunk.toString("latin1").split("\n");
      rest.push(first);
      restChars += first.length;
      for (const next of more) {
        take(rest.join(""));
        rest = [next];
        restChars = next.length;
      }
      if (restChars > LINE_CHARS_MAX) {
        table.gaps.add(`a line of the trace has more than ${LINE_CHARS_MAX} characters`);
        rest = [];
        restChars = 0;
      }
    }
  } catch {
    table.gaps.add("the trace was cut off");
  }
  if (bytes > TRACE_BYTES_MAX) table.gaps.add(`the trace has more than ${TRACE_BYTES_MAX} bytes`);
  if (restChars > 0) table.gaps.add("the trace was cut off");
  const gaps = [...table.close()];
  return { processes: toProcesses(table.programs), gaps };
}

/** One line of what strace writes about a sandbox. */
export interface TraceLine {
  /** As the host numbers it; undefined when strace saw only one process at that time. */
  readonly pid: number | undefined;
  readonly atUs: number;
  readonly what: TraceEvent;
}

/** What a line is about. */
export type TraceEvent =
  | {
      readonly kind: "call";
      readonly name: string;
      readonly args: string;
      readonly value: number | undefined;
    }
  /** A call that others were faster than; its result comes with another line. */
  | { readonly kind: "unfinished"; readonly name: string; readonly args: string }
  | {
      readonly kind: "resumed";
      readonly name: string;
      readonly args: string;
      /** What it gave back; undefined when nobody can tell, because the process ended in it. */
      readonly value: number | undefined;
    }
  /** A call that was not read: whoever made it was ended just then, and the kernel drops such a call. */
  | { readonly kind: "dropped" }
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: string }
  /** A thread became the whole process, and takes its number from now on. */
  | { readonly kind: "superseded"; readonly by: number }
  /** A signal arrived, or a process stopped or went on: nobody ended. */
  | { readonly kind: "other" };

const HEAD = /^(?:\[pid +(\d{1,10})\] )?(\d{1,12})\.(\d{6}) /;
/** Somebody else was faster, or the thread is about to get the number of its process. */
const UNFINISHED = / <(?:unfinished|pid changed to \d{1,10}) \.\.\.>$/;
const UNFINISHED_CHARS_MAX = 40;
const RESUMED = /^<\.\.\. ([a-z0-9_]{1,32}) resumed>/;
const CALL = /^([a-z0-9_]{1,32})\(/;
const DROPPED = "???( <unfinished ...>";
const RESULT = /^(-?\d{1,19}|\?)(?: |$)/;
const EXITED = /^\+\+\+ exited with (\d{1,3}) \+\+\+$/;
const KILLED = /^\+\+\+ killed by (SIG[A-Z0-9_+-]{1,16})(?: \(core dumped\))? \+\+\+$/;
const SUPERSEDED = /^\+\+\+ superseded by execve in pid (\d{1,10}) \+\+\+$/;
const SIGNAL = /^--- .* ---$/;

/**
 * Reads a line. Undefined when it is none that strace writes for what it was told to: whoever reads
 * must not go on as if nothing had been there.
 */
export function parseTraceLine(line: string): TraceLine | undefined {
  const head = HEAD.exec(line);
  if (head === null) return undefined;
  const what = eventOf(line.slice(head[0].length));
  if (what === undefined) return undefined;
  const [, pid, seconds, micros] = head;
  const atUs = Number(seconds) * 1_000_000 + Number(micros);
  return { pid: pid === undefined ? undefined : Number(pid), atUs, what };
}

function eventOf(text: string): TraceEvent | undefined {
  if (text.startsWith("+++")) return endOf(text);
  if (text.startsWith("---")) return SIGNAL.test(text) ? { kind: "other" } : undefined;
  if (text === DROPPED) return { kind: "dropped" };
  const resumed = RESUMED.exec(text);
  const call = resumed ?? CALL.exec(text);
  if (call === null) return undefined;
  const [start, name = ""] = call;
  const rest = text.slice(start.length);
  const unfinished = resumed === null ? rest.slice(-UNFINISHED_CHARS_MAX).match(UNFINISHED) : null;
  if (unfinished) {
    return { kind: "unfinished", name, args: rest.slice(0, -unfinished[0].length) };
  }
  const ended = resultOf(rest);
  if (ended === undefined) return undefined;
  return { kind: resumed === null ? "call" : "resumed", name, ...ended };
}

function endOf(text: string): TraceEvent | undefined {
  const code = EXITED.exec(text)?.[1];
  if (code !== undefined) return { kind: "exited", code: Number(code) };
  const signal = KILLED.exec(text)?.[1];
  if (signal !== undefined) return { kind: "killed", signal };
  const by = SUPERSEDED.exec(text)?.[1];
  return by === undefined ? undefined : { kind: "superseded", by: Number(by) };
}

/** Behind the last closing bracket and any blanks that line results up. No text has one in it. */
function resultOf(rest: string): { args: string; value: number | undefined } | undefined {
  const equals = rest.lastIndexOf(" = ");
  const args = rest.slice(0, Math.max(0, equals)).trimEnd();
  const found = RESULT.exec(rest.slice(equals + 3));
  if (equals < 0 || !args.endsWith(")") || found === null) return undefined;
  return { args: args.slice(0, -1), value: found[1] === "?" ? undefined : Number(found[1]) };
}

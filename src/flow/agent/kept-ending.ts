import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { parseJson, readPlainFile } from "../../base/index.ts";
import type { EgressLogLine } from "../../egress/index.ts";
import { printedIn } from "../../run/files/index.ts";
import { DONE_NAME, OUTPUT_NAME, type RunFolder } from "../../run/index.ts";
import { Limits } from "../../schema/execution.ts";
import { COUNTED_BY } from "./ceiling.ts";
import type { Heard } from "./watch-agent.ts";

const NAME = "ended.json";
/** What the agent put into its output, which lies in memory and goes with its sandbox. */
const LEFT = "left";
const LEFT_BYTES_MAX = 16 << 20;
const ENDING_BYTES_MAX = 64 << 20;
const STDOUT_BYTES_MAX = 1 << 20;

const Count = z.number().min(0);
const Argv = z.array(z.string());
/** What may not be known, which JSON has only null for. */
const maybe = <T extends z.ZodType>(schema: T) =>
  schema.nullable().transform((value) => value ?? undefined);

const SeenProgram = z.strictObject({
  pid: z.int(),
  argv: Argv,
  cwd: maybe(z.string()),
  beganMs: z.number(),
  endedMs: z.number(),
  exit: maybe(z.int()),
  signal: maybe(z.string()),
  parent: maybe(z.int()),
});

const Ran = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("not-begun"),
    broken: z.array(z.strictObject({ name: z.string(), holds: z.boolean(), seen: z.string() })),
  }),
  z.strictObject({
    kind: z.literal("ran"),
    end: z.strictObject({
      code: maybe(z.int()),
      signal: maybe(z.string()),
      limit: maybe(z.string()),
    }),
    observed: maybe(z.strictObject({ processes: z.array(SeenProgram), gaps: z.array(z.string()) })),
  }),
]);

const KeptEnding = z.strictObject({
  ran: Ran,
  answer: z.string(),
  watch: z.strictObject({
    cpuMs: Count,
    peakBytes: maybe(Count),
    processes: z.array(
      z.strictObject({ pid: z.int(), argv: Argv, firstMs: z.number(), lastMs: z.number() }),
    ),
  }),
  use: z.strictObject({
    inputTokens: Count,
    outputTokens: Count,
    microUsd: maybe(Count),
    turns: Count,
    toolCalls: Count,
    toolCallsBy: z.enum(COUNTED_BY),
  }),
  troubles: z.array(
    z.strictObject({
      kind: z.literal("error"),
      why: z.enum(["busy", "unavailable", "credential", "quota", "other"]),
      message: z.string(),
    }),
  ),
  egress: z.array(
    z.strictObject({
      host: z.string(),
      method: z.string(),
      bytesIn: Count,
      bytesOut: Count,
      startedAt: z.number(),
      endedAt: z.number(),
      verdict: z.enum(["allowed", "refused"]),
      rule: z.string().exactOptional(),
      status: z.int().exactOptional(),
    }),
  ),
  limits: Limits,
});

/** How an agent ended, and what was seen of it. */
export interface Ended {
  readonly heard: Heard;
  readonly egress: readonly EgressLogLine[];
  readonly limits: Limits;
}

/**
 * Writes down that an agent has ended, with all that its run is concluded from: whoever comes after a
 * killed runtime concludes it then, and does not have the agent work once more.
 *
 * @param output its output folder, in which nothing changes any more
 */
export function keepEnding(folder: RunFolder, ended: Ended, output: string): void {
  const left = folder.private(LEFT);
  for (const name of [OUTPUT_NAME, DONE_NAME]) {
    const bytes = plainBytes(join(output, name));
    if (bytes !== undefined) writeFileSync(join(left, name), bytes, { mode: 0o600 });
  }
  const whole = toText(ended, false);
  const text = Buffer.byteLength(whole) > ENDING_BYTES_MAX ? toText(ended, true) : whole;
  // Last: whoever finds it finds the output too. Half of it, or none after a power cut, is a run that was cut short.
  writeFileSync(join(folder.path, NAME), text, { mode: 0o600 });
}

/** What an agent left there; no link of its making is followed. */
function plainBytes(path: string): Buffer | undefined {
  try {
    return readPlainFile(path, LEFT_BYTES_MAX, "refuse");
  } catch {
    // It is not there, no plain file, or longer than any that counts.
    return undefined;
  }
}

function toText({ heard, egress, limits }: Ended, isCut: boolean): string {
  const { ran, answer, watch, use, troubles } = heard;
  const { cpuMs, peakBytes } = watch;
  const observed = ran.kind === "ran" ? ran.observed : undefined;
  const processes = observed === undefined && !isCut ? watch.processes : [];
  const cut = { processes: [], gaps: ["more programs ran than were kept when the runtime ended"] };
  const kept = {
    ran:
      ran.kind === "ran"
        ? { kind: ran.kind, end: ran.end, observed: isCut ? cut : observed }
        : { kind: ran.kind, broken: ran.broken },
    ...{ answer, use, troubles, egress, limits },
    watch: { cpuMs, peakBytes, processes },
  };
  // Half a character, where somebody's words were cut, is no text that could be read back.
  return JSON.stringify(kept, (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : (value ?? null),
  );
}

/**
 * What was written down of an agent's end in the folder that was kept of its run, with where its output
 * lies; undefined where it had not ended.
 *
 * @param stdout the file with what it printed
 */
export function keptEnding(
  path: string,
  stdout: string,
): (Ended & { readonly output: string }) | undefined {
  try {
    const text = readPlainFile(join(path, NAME), ENDING_BYTES_MAX, "refuse").toString("utf8");
    const kept = KeptEnding.parse(parseJson(text, ENDING_BYTES_MAX));
    const { ran, egress, limits, ...heard } = kept;
    const whole = ran.kind === "ran" ? { ...ran, ...printedTo(stdout) } : ran;
    return { heard: { ...heard, ran: whole }, egress, limits, output: join(path, LEFT) };
  } catch {
    // It had not ended when its runtime was, or that could not be written down: it was cut short.
    return undefined;
  }
}

/** What it printed lies in its run's folder; its stderr is not judged. */
function printedTo(path: string) {
  const kept = printedIn(path, STDOUT_BYTES_MAX, "beginning");
  const nothing = { bytes: 0, sha256: "", kept: Buffer.alloc(0) };
  return { stdout: { ...nothing, bytes: kept.length, kept }, stderr: nothing };
}

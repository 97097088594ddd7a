import { closeSync, fstatSync, readSync } from "node:fs";
import * as z from "zod";
import { openPlainFile, parseJson, SwornError } from "../../base/index.ts";

const INPUT_BYTES_MAX = 8 << 20;
/** A session can be long: its end is what was said last. */
const TRANSCRIPT_BYTES_MAX = 8 << 20;
const Path = z.string().max(4_096);

/** What an agent hands to its hooks; the members that are used, whatever else is there. */
const HookInput = z.object({
  stop_hook_active: z.boolean().default(false),
  transcript_path: Path.nullish(),
  cwd: Path.nullish(),
  last_assistant_message: z.string().nullish(),
});
export type HookInput = z.infer<typeof HookInput>;

/**
 * Reads what an agent hands to its hooks.
 *
 * @throws SwornError `INPUT_INVALID`, `LIMIT_EXCEEDED`
 */
export async function readHookInput(chunks: AsyncIterable<Buffer>): Promise<HookInput> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > INPUT_BYTES_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `expected at most ${INPUT_BYTES_MAX} bytes of input`);
    }
    kept.push(chunk);
  }
  const input = parseJson(Buffer.concat(kept).toString("utf8"), INPUT_BYTES_MAX);
  const parsed = HookInput.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new SwornError("INPUT_INVALID", "expected the JSON that an agent hands to its stop hook");
}

/** A session's own record, as far as it was read. */
export interface Transcript {
  readonly records: readonly unknown[];
  /** Whether it was read from its beginning, and every line but one that is still being written. */
  readonly isWhole: boolean;
}

/** The end of a session's own record, one JSON object a line; lines that are none are left out. */
export function readTranscript(path: string): Transcript {
  const descriptor = openPlainFile(path);
  try {
    const { size } = fstatSync(descriptor);
    const from = Math.max(0, size - TRANSCRIPT_BYTES_MAX);
    const bytes = Buffer.alloc(Math.min(size, TRANSCRIPT_BYTES_MAX));
    const count = readSync(descriptor, bytes, 0, bytes.length, from);
    const lines = bytes.toString("utf8", 0, count).split("\n");
    // The first line of a part is the end of one.
    const read = (from > 0 ? lines.slice(1) : lines).filter((line) => line.trim() !== "");
    const records = read.map(parsedLine);
    return {
      records: records.flatMap((record) => record ?? []),
      isWhole: from === 0 && records.slice(0, -1).every((record) => record !== undefined),
    };
  } finally {
    closeSync(descriptor);
  }
}

function parsedLine(line: string): unknown[] | undefined {
  try {
    return [JSON.parse(line)];
  } catch {
    // A line that is still being written, or a file of something else.
    return undefined;
  }
}

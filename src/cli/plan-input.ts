import { resolve } from "node:path";
import { readPlainFile, SwornError } from "../base/index.ts";
import { PLAN_BYTES_MAX } from "../flow/plan/judge-plan.ts";
import type { Io } from "./io.ts";

/** The bytes of a plan: a file, or standard input. @throws SwornError `NOT_FOUND`, `LIMIT_EXCEEDED`. */
export async function planBytes(plan: string, io: Io): Promise<Buffer> {
  if (plan !== "-") return fileBytes(plan, io);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of io.input()) {
    bytes += chunk.length;
    if (bytes > PLAN_BYTES_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `expected a plan of at most ${PLAN_BYTES_MAX} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function fileBytes(plan: string, io: Io): Buffer {
  try {
    return readPlainFile(resolve(io.cwd, plan), PLAN_BYTES_MAX);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) throw error;
    throw new SwornError("NOT_FOUND", `there is no file ${plan}; expected a plan`, {
      cause: error,
    });
  }
}

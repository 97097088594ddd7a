import { resolve } from "node:path";
import { readPlainFile, SwornError } from "../base/index.ts";
import { PLAN_BYTES_MAX } from "../flow/plan/judge-plan.ts";
import type { Io } from "./io.ts";
import { readInput } from "./read-input.ts";

/** The bytes of a plan: a file, or standard input. @throws SwornError `NOT_FOUND`, `LIMIT_EXCEEDED`. */
export async function planBytes(plan: string, io: Io): Promise<Buffer> {
  if (plan !== "-") return fileBytes(plan, io);
  return readInput(io, PLAN_BYTES_MAX, "a plan");
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

import { existsSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import { parseVerifierKey, readPlainFile, SwornError } from "../base/index.ts";
import { SubtaskId } from "../schema/plan.ts";
import type { Io } from "./io.ts";

/** Shapes that several commands' arguments share. */

export const TraceArgument = z.string().min(1);

/** A whole number given as text. */
export const WholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, "expected a whole number")
  .transform(Number);

/** How often an agent may be started for one task. */
export const Rounds = z
  .string()
  .regex(/^(?:[1-9]\d?|100)$/, "expected a number from 1 to 100")
  .transform(Number)
  .default(1);

/** Which findings close the gate; reports write priorities in capitals, so both are taken. */
export const FailOn = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["p1", "p2", "p3", "never"]))
  .default("p1");

const KEY_FILE_BYTES_MAX = 4_096;

/**
 * A verifier key, or the path of a file that holds one.
 *
 * @throws SwornError `INPUT_INVALID` when it is neither.
 */
export function readKeyArgument(given: string | undefined, io: Io): string | undefined {
  if (given === undefined) return undefined;
  const path = resolve(io.cwd, given);
  const isFile = existsSync(path);
  if (isFile && statSync(path).isDirectory()) {
    throw new SwornError("INPUT_INVALID", `--key: ${given} is a folder; expected a verifier key`);
  }
  try {
    const text = isFile ? readPlainFile(path, KEY_FILE_BYTES_MAX).toString() : given;
    parseVerifierKey(text);
    return text;
  } catch (cause) {
    const found = isFile
      ? `the file ${given} does not hold one verifier key`
      : `"${given}" is neither a verifier key nor a file that exists`;
    const expected = 'expected "name+hash+base64" as "sworn keys export-public" prints it';
    throw new SwornError("INPUT_INVALID", `--key: ${found}; ${expected}`, { cause });
  }
}

/** More threads than this are kept busy only by the thread that feeds them. */
const THREADS_MAX = 8;

export function threadsHere(): number {
  return Math.min(availableParallelism(), THREADS_MAX);
}

const WHEN = {
  error: "expected a moment in UTC such as 2027-06-30T12:00:00Z, or a time such as 30m or 2h",
};

/** A moment in UTC, or so many minutes from now: `30m`, `2h`. */
export const Deadline = z.union(
  [
    // A union hands on what its first part says about a text, so that it has to say it for both.
    z.iso.datetime(WHEN),
    z
      .string()
      .regex(/^[1-9]\d{0,3}[mh]$/, WHEN)
      .transform((given) => Number(given.slice(0, -1)) * (given.endsWith("h") ? 60 : 1)),
  ],
  WHEN,
);

/** `ST-02=why it counts all the same`. */
const Waived = z.string().transform((given, context) => {
  const at = given.indexOf("=");
  const subtask = SubtaskId.safeParse(given.slice(0, Math.max(0, at)));
  const reason = given.slice(at + 1).trim();
  if (at > 0 && subtask.success && reason !== "") return { subtask: subtask.data, reason };
  context.addIssue({
    code: "custom",
    message: "expected a subtask and a reason, such as ST-02=why",
  });
  return z.NEVER;
});

/** The subtasks that a person lets through, each with why. */
export const Waivers = z.array(Waived).max(1_000).default([]);

import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import type { Io } from "./io.ts";

/** Shapes that several commands' arguments share. */

export const TraceArgument = z.string().min(1);

/** A whole number given as text. */
export const WholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, "expected a whole number")
  .transform(Number);

/** A verifier key, or the path of a file that holds one. */
export function readKeyArgument(given: string | undefined, io: Io): string | undefined {
  if (given === undefined) return undefined;
  const path = resolve(io.cwd, given);
  return existsSync(path) ? readFileSync(path, "utf8") : given;
}

/** More threads than this are kept busy only by the thread that feeds them. */
const THREADS_MAX = 8;

export function threadsHere(): number {
  return Math.min(availableParallelism(), THREADS_MAX);
}

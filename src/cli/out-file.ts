import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { BLOCK_BYTES, parseTarHeader, SwornError } from "../base/index.ts";
import type { Io } from "./io.ts";

/** What a command is about to write, and how to tell an earlier one of its kind. */
interface Output {
  readonly kind: string;
  readonly isOneOfThem: (beginning: Buffer) => boolean;
  /** The option that names the file, where it is not `out`. */
  readonly option?: string;
}

export const BUNDLE: Output = { kind: "a bundle", isOneOfThem: isBundle };
export const PROOF: Output = { kind: "a proof", isOneOfThem: isProof };
export const PLAN: Output = { kind: "a plan", isOneOfThem: isPlan };
export const PICTURE: Output = {
  kind: "a picture of a plan",
  isOneOfThem: isPicture,
  option: "svg",
};

const BEGINNING_BYTES = 4_096;

/**
 * The path to write to. Only what can be made again is overwritten unasked: an earlier output of the
 * same kind.
 *
 * @throws SwornError `INPUT_INVALID` when nothing can be written there, `ALREADY_EXISTS` when something else is there.
 */
export function outPath(out: string, output: Output, force: boolean, io: Io): string {
  const path = resolve(io.cwd, out);
  const { option = "out" } = output;
  const folder = dirname(path);
  if (!existsSync(folder)) {
    const shown = dirname(out);
    throw new SwornError(
      "INPUT_INVALID",
      `--${option}: the folder ${shown} does not exist; make it first`,
    );
  }
  if (!existsSync(path)) return path;
  if (statSync(path).isDirectory()) {
    throw new SwornError(
      "INPUT_INVALID",
      `--${option}: ${out} is a folder; expected the path of a file`,
    );
  }
  if (force || (statSync(path).isFile() && output.isOneOfThem(beginningOf(path)))) return path;
  throw new SwornError(
    "ALREADY_EXISTS",
    `--${option}: ${out} exists and is not ${output.kind}; choose another name, or overwrite it with --force`,
  );
}

function beginningOf(path: string): Buffer {
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(fd);
  }
}

function isBundle(beginning: Buffer): boolean {
  try {
    return parseTarHeader(beginning.subarray(0, BLOCK_BYTES)).name === "checkpoint";
  } catch {
    // Whatever it is, it is not ours to replace.
    return false;
  }
}

/** As `sworn trace prove` begins one; its entry may be longer than what is read here. */
function isProof(beginning: Buffer): boolean {
  return /^\{\s*"v": ?1,\s*"trace": ?"trace_/.test(beginning.toString("latin1"));
}

function isPicture(beginning: Buffer): boolean {
  return /^<svg xmlns="[^"<>]+" [^<>]*aria-label="plan">/.test(beginning.toString("latin1"));
}

/** As `sworn plan` begins one. */
function isPlan(beginning: Buffer): boolean {
  return /^\{\s*"verimapped_task": ?"/.test(beginning.toString("latin1"));
}

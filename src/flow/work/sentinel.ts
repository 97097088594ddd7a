import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalize, messageOf, parseJson, readPlainFile, sha256Hex } from "../../base/index.ts";
import { Sentinel } from "../../schema/work.ts";

/** The name that plans give it. */
export const SENTINEL_NAME = "POLECAT_DONE";
const BYTES_MAX = 4_096;

/** What a sentinel says of a subtask, and whether it is the one that the record has. */
export type SentinelVerdict =
  | { readonly kind: "valid" }
  | { readonly kind: "missing" }
  | { readonly kind: "wrong"; readonly why: string };

/** The digest that stands for an output that is not there. */
export const NO_OUTPUT = sha256Hex("");

/** Writes it whole or not at all: nobody ever reads half of one. */
export function writeSentinel(path: string, sentinel: Sentinel): void {
  const aside = join(dirname(path), `.${SENTINEL_NAME}-${randomUUID()}`);
  try {
    writeFileSync(aside, `${canonicalize(sentinel)}\n`, { flag: "wx" });
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Holds what lies at a path against what the record says; links are not followed. */
export function judgeSentinel(path: string, expected: Sentinel): SentinelVerdict {
  let text: string;
  try {
    text = readPlainFile(path, BYTES_MAX, "refuse").toString("utf8");
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isGone ? { kind: "missing" } : { kind: "wrong", why: messageOf(error) };
  }
  const why = whyWrong(text, expected);
  return why === undefined ? { kind: "valid" } : { kind: "wrong", why };
}

/** Why a text is not the sentinel that is expected; undefined when it is. */
export function whyWrong(text: string, expected: Sentinel): string | undefined {
  const parsed = Sentinel.safeParse(sentinelIn(text));
  if (!parsed.success) return "it does not name a run, a contract and an output";
  const { run, contract_digest, output_digest } = parsed.data;
  if (contract_digest !== expected.contract_digest) return "it is of another contract";
  if (run !== expected.run) return `it is of run ${run}, expected ${expected.run}`;
  return output_digest === expected.output_digest ? undefined : "its output is another one";
}

function sentinelIn(text: string): unknown {
  try {
    return parseJson(text, BYTES_MAX);
  } catch {
    // Whatever it is, it is no sentinel of ours.
    return undefined;
  }
}

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/index.ts";
import {
  CLASSIFY_BYTES_MAX,
  type ClassFinding,
  type ClassifyOptions,
  classify,
  notLookedInto,
  raisedBy,
  sidecarBytes,
  sidecarPathOf,
  sidecarsAmong,
} from "../../scan/classify/index.ts";
import type { OutputFile } from "../../schema/manifest.ts";
import type { CollectedFile } from "./collect-output.ts";

/** An output file with what was found in it. */
export interface JudgedFile extends OutputFile {
  readonly isBlocking: boolean;
  readonly isFlagged: boolean;
  readonly findings: readonly ClassFinding[];
}

/** All output of a run, judged. */
export interface JudgedOutput {
  /** The artifacts in byte order; sidecars are not among them. */
  readonly files: readonly JudgedFile[];
  /** The files that keep the run from completing; empty when it may. */
  readonly blocking: readonly JudgedFile[];
}

const SIDECAR_READ_MAX = 65_536;

/**
 * Judges the copies that were made of a task's output, and puts a sidecar beside each. What the task
 * itself wrote as a sidecar may only raise, and is replaced: nothing of its own text stays in one.
 * `copies` is the folder that `collectOutput` filled.
 *
 * @throws what reading and writing the copies throws: they are ours, so that is no refusal.
 */
export function judgeOutput(
  copies: string,
  files: readonly CollectedFile[],
  options: ClassifyOptions = {},
): JudgedOutput {
  const owners = sidecarsAmong(files.map(({ path }) => path));
  const stated = new Map<string, Buffer>();
  for (const { path, bytes } of files) {
    const owner = owners.get(path);
    if (owner === undefined) continue;
    // A sidecar of such a length says nothing that could be believed; no text raises to the top.
    const isShort = bytes <= SIDECAR_READ_MAX;
    stated.set(
      owner,
      isShort ? readPlainFile(join(copies, path), bytes, "refuse") : Buffer.alloc(0),
    );
    rmSync(join(copies, path));
  }
  const artifacts = files.filter(({ path }) => !owners.has(path));
  const judged = artifacts.map((file) => judgeFile(copies, file, stated.get(file.path), options));
  for (const { path, classification, pii } of judged) {
    const sidecar = join(copies, sidecarPathOf(path));
    writeFileSync(sidecar, sidecarBytes({ classification, pii }), { flag: "wx" });
  }
  return { files: judged, blocking: judged.filter(({ isBlocking }) => isBlocking) };
}

function judgeFile(
  copies: string,
  file: CollectedFile,
  stated: Buffer | undefined,
  options: ClassifyOptions,
): JudgedFile {
  const judgement =
    file.bytes > CLASSIFY_BYTES_MAX
      ? notLookedInto(file.path, options)
      : classify(file.path, readPlainFile(join(copies, file.path), file.bytes, "refuse"), options);
  const said = stated === undefined ? judgement : raisedBy(judgement, stated);
  const { isBlocking, isFlagged, findings } = judgement;
  const { classification, pii } = said;
  const isRaised = classification === "restricted" || pii;
  return { ...file, classification, pii, isBlocking, isFlagged: isFlagged || isRaised, findings };
}

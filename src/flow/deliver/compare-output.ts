import { createHash } from "node:crypto";
import { closeSync, fstatSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { openPlainFile, readPlainFile } from "../../base/index.ts";
import { type ComparedFile, contentOf, HEAD_BYTES } from "../../deliver/packet/index.ts";
import {
  CLASSIFY_BYTES_MAX,
  classify,
  notLookedInto,
  sidecarBytes,
  sidecarPathOf,
} from "../../scan/classify/index.ts";
import { type Manifest, Sidecar } from "../../schema/manifest.ts";
import type { ExecRefusal } from "../exec/exec-outcome.ts";

const CHUNK_BYTES = 1 << 20;
const SIDECAR_BYTES_MAX = 4_096;
const SHOWN_MAX = 5;
/** The list of parts has no mode in a manifest; it is a document of ours. */
const DOCUMENT_MODE = 0o644;

/** The output as it lies there, each file as its manifest says. */
export interface ComparedOutput {
  readonly files: readonly ComparedFile[];
  /** Judged anew: what is found today may not have been known when the run ended. */
  readonly secretFiles: readonly string[];
  readonly flagged: readonly string[];
}

/**
 * Compares every file of a folder with the manifest of the run that left it, before anything is
 * written anywhere. A missing, extra or changed file is a refusal that names it.
 *
 * @param cleared hashes of files that a reviewer let go out, flagged as they are
 */
export function compareOutput(
  folder: string,
  manifest: Manifest,
  cleared: ReadonlySet<string> = new Set(),
): ComparedOutput | ExecRefusal {
  const expected = expectedFiles(folder, manifest);
  const sidecars = new Set([...expected.keys()].map(sidecarPathOf));
  const present = walk(folder, 2 * expected.size);
  const missing = [...expected.keys(), ...sidecars].filter((path) => present.get(path) !== "file");
  const extra = [...present.keys()].filter((path) => !expected.has(path) && !sidecars.has(path));
  if (extra.length > 0) return differs("has, beside what the run left,", extra, folder);
  if (missing.length > 0) return differs("lacks", missing, folder);
  const files: ComparedFile[] = [];
  const changed: string[] = [];
  for (const [path, { mode, sha256, bytes, sidecar }] of expected) {
    const seen = lookAt(join(folder, path));
    const isSame = seen.sha256 === sha256 && (bytes === undefined || seen.bytes === bytes);
    if (!isSame) changed.push(path);
    else if (sidecar === undefined) changed.push(sidecarPathOf(path));
    else files.push({ path, mode, sidecar, ...seen });
  }
  if (changed.length > 0)
    return differs("holds another content than the run left in", changed, folder);
  return { files, ...judged(folder, manifest, cleared) };
}

function differs(how: string, paths: readonly string[], folder: string): ExecRefusal {
  const shown = paths.slice(0, SHOWN_MAX).join(", ");
  const more = paths.length > SHOWN_MAX ? ` and ${paths.length - SHOWN_MAX} more` : "";
  return { rule: "F.5", reason: `${folder} ${how} ${shown}${more}; nothing was handed over` };
}

interface Expected {
  readonly mode: number;
  readonly sha256: string;
  readonly bytes: number | undefined;
  /** Undefined when the file beside it says something else than the manifest. */
  readonly sidecar: Sidecar | undefined;
}

type Row = readonly [string, Expected];

function expectedFiles(folder: string, { output, sbom }: Manifest): Map<string, Expected> {
  const files = output.map(({ path, mode, sha256, bytes, classification, pii }): Row => {
    const wanted = sidecarBytes({ classification, pii });
    const sidecar = bytesBeside(folder, path)?.equals(wanted) ? { classification, pii } : undefined;
    return [path, { mode, sha256, bytes, sidecar }];
  });
  if (sbom === null) return new Map(files);
  const sidecar = ownSidecar(bytesBeside(folder, sbom.path));
  const parts = { mode: DOCUMENT_MODE, sha256: sbom.sha256, bytes: undefined, sidecar };
  const all: Row[] = [...files, [sbom.path, parts]];
  return new Map(all.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
}

function bytesBeside(folder: string, path: string): Buffer | undefined {
  try {
    return readPlainFile(join(folder, sidecarPathOf(path)), SIDECAR_BYTES_MAX, "refuse");
  } catch {
    // Not there, or no such file: then it is missing or changed, and refused as that.
    return undefined;
  }
}

/** The manifest does not say how the list of parts was classified, so only our own spelling counts. */
function ownSidecar(bytes: Buffer | undefined): Sidecar | undefined {
  try {
    const sidecar = Sidecar.parse(JSON.parse(bytes?.toString() ?? ""));
    return bytes?.equals(sidecarBytes(sidecar)) ? sidecar : undefined;
  } catch {
    // Anything that cannot be read is not what the run left.
    return undefined;
  }
}

/**
 * Everything below a folder but the folders; links are named and not followed. It stops behind so
 * many: then there is something extra in any case.
 */
function walk(folder: string, most: number): Map<string, "file" | "other"> {
  const found = new Map<string, "file" | "other">();
  const open = [""];
  for (let at = open.pop(); at !== undefined && found.size <= most; at = open.pop()) {
    const below = at === "" ? "" : `${at}/`;
    const entries = readdirSync(join(folder, at), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory());
    open.push(...folders.map(({ name }) => below + name));
    for (const entry of entries.filter((one) => !one.isDirectory())) {
      found.set(below + entry.name, entry.isFile() ? "file" : "other");
    }
  }
  return found;
}

/** Reads a file once, for everything that a packet says about its bytes. */
function lookAt(path: string) {
  const [sha256, blake2b] = [createHash("sha256"), createHash("blake2b512")];
  let [bytes, hasZero, head] = [0, false, Buffer.alloc(0)];
  for (const chunk of chunksOf(path)) {
    sha256.update(chunk);
    blake2b.update(chunk);
    if (bytes < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    bytes += chunk.length;
    hasZero ||= chunk.includes(0);
  }
  const content = contentOf(head, hasZero);
  return { bytes, sha256: sha256.digest("hex"), blake2b: blake2b.digest(), content };
}

/** The bytes of a plain file in pieces; no more of them than it had when it was opened. */
export function* chunksOf(path: string): Generator<Buffer> {
  const fd = openPlainFile(path, "refuse");
  try {
    let left = fstatSync(fd).size;
    while (left > 0) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, left));
      const count = readSync(fd, chunk);
      if (count === 0) return;
      left -= count;
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(fd);
  }
}

function judged(folder: string, { output }: Manifest, cleared: ReadonlySet<string>) {
  const [secretFiles, flagged]: [string[], string[]] = [[], []];
  for (const { path, bytes, sha256, classification, pii } of output) {
    const { isBlocking, isFlagged } =
      bytes > CLASSIFY_BYTES_MAX
        ? notLookedInto(path)
        : classify(path, readPlainFile(join(folder, path), bytes, "refuse"));
    if (isBlocking) secretFiles.push(path);
    // A reviewer's word is about bytes, and they are the same.
    else if (cleared.has(sha256)) continue;
    else if (isFlagged || pii || classification === "restricted") flagged.push(path);
  }
  return { secretFiles, flagged };
}

import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  messageOf,
  SwornError,
  syncFolder,
  TAR_END,
  tarHeader,
  tarPadding,
  writeAll,
} from "../../base/index.ts";
import { LocalLedger } from "../../ledger/local.ts";
import type { Entry, VerificationReport } from "../../schema/index.ts";
import {
  ARTIFACT_PREFIX,
  keysDocument,
  type OpenBundle,
  openBundle,
  SMALL_MEMBER_BYTES_MAX,
  verifyTrace,
} from "../../verify/index.ts";
import { apply, emptySession, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { pieces } from "./local-source.ts";
import { assertNotBehind } from "./outside-head.ts";
import { openForReading } from "./reading.ts";

/** What was written. `missing` artifacts are cited by entries but are not in the store. */
export interface ExportOutcome {
  readonly trace: string;
  readonly path: string;
  readonly entries: number;
  readonly artifacts: number;
  readonly missing: readonly string[];
}

/**
 * Writes a trace as one portable file. The same trace always gives the same bytes; with a size, so does
 * its beginning, whatever was added to it since.
 *
 * @param size how many entries, where it is not all: a checkpoint has to be there of that size
 */
export function exportTrace(
  place: Place,
  trace: string,
  path: string,
  size: number = Number.POSITIVE_INFINITY,
): ExportOutcome {
  const ledger = openForReading(place, trace);
  const temporary = join(
    dirname(resolve(path)),
    `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`,
  );
  try {
    const outcome = writeBundle(place, ledger, temporary, size);
    renameSync(temporary, path);
    syncFolder(dirname(resolve(path)));
    return { trace, path, ...outcome };
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    ledger.close();
  }
}

function writeBundle(place: Place, ledger: LocalLedger, path: string, size: number) {
  const { session, artifacts, entriesBytes } = survey(ledger, size);
  const checkpoint = Number.isFinite(size)
    ? ledger.checkpointOfSize(size)
    : ledger.lastCheckpoint();
  const present = [...artifacts].filter((hash) => place.artifacts.has(hash)).sort();
  const fd = openSync(path, "wx");
  try {
    writeMember(fd, "checkpoint", Buffer.from(checkpoint?.note ?? ""));
    writeMember(fd, "keys.json", keysMember(ledger.trace, session));
    writeHeader(fd, "entries.jsonl", entriesBytes);
    for (const piece of pieces(upTo(ledger.read(), size))) writeAll(fd, piece);
    writePadding(fd, entriesBytes);
    for (const hash of present) writeArtifact(fd, place, hash);
    writeAll(fd, TAR_END);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  const missing = [...artifacts].filter((hash) => !place.artifacts.has(hash)).sort();
  return { entries: session.size, artifacts: present.length, missing };
}

/** What no verifier would read is not written. */
function keysMember(trace: string, session: Session): Buffer {
  const bytes = Buffer.from(keysDocument(session));
  if (bytes.length <= SMALL_MEMBER_BYTES_MAX) return bytes;
  throw new SwornError(
    "LIMIT_EXCEEDED",
    `${trace} has ${session.keys.size} keys, more than a bundle can list; nothing was written`,
  );
}

/**
 * One reading ahead of the writing: a tar header gives the size before the content. What is damaged
 * or shorter than was acknowledged is not handed on.
 */
function survey(ledger: LocalLedger, size: number) {
  const session = emptySession();
  let [entriesBytes, stored] = [0, 0];
  try {
    ledger.catchUp((line) => {
      stored += 1;
      if (stored > size) return;
      entriesBytes += Buffer.byteLength(line) + 1;
      apply(session, JSON.parse(line) as Entry);
    });
  } catch (cause) {
    if (cause instanceof SwornError) throw cause;
    throw new SwornError(
      "STORE_UNREADABLE",
      `${ledger.trace} cannot be read to its end: ${messageOf(cause)}; run "sworn trace fsck ${ledger.trace}"`,
      { cause },
    );
  }
  assertNotBehind(session, ledger, stored);
  return { session, artifacts: new Set(session.artifacts.keys()), entriesBytes };
}

function* upTo(lines: Iterable<string>, size: number): Generator<string> {
  let given = 0;
  for (const line of lines) {
    if (given === size) return;
    given += 1;
    yield line;
  }
}

function writeMember(fd: number, name: string, bytes: Buffer): void {
  writeHeader(fd, name, bytes.length);
  writeAll(fd, bytes);
  writePadding(fd, bytes.length);
}

function writeArtifact(fd: number, place: Place, hash: string): void {
  const size = place.artifacts.size(hash) ?? 0;
  writeHeader(fd, ARTIFACT_PREFIX + hash, size);
  let written = 0;
  for (const chunk of place.artifacts.read(hash)) {
    writeAll(fd, chunk);
    written += chunk.length;
  }
  if (written !== size)
    throw new SwornError(
      "STORE_UNREADABLE",
      `artifact ${hash} changed while it was read; export again`,
    );
  writePadding(fd, size);
}

function writeHeader(fd: number, name: string, size: number): void {
  writeAll(fd, tarHeader(name, size));
}

function writePadding(fd: number, size: number): void {
  writeAll(fd, Buffer.alloc(tarPadding(size)));
}

/** What came of an import: stored, already there, or not verified (then nothing was stored). */
export interface ImportOutcome {
  readonly kind: "imported" | "present" | "refused";
  readonly report: VerificationReport;
}

/**
 * Takes a bundle into the store, after verifying it completely.
 *
 * @throws SwornError `BUNDLE_MALFORMED`, `ALREADY_EXISTS` when the store has another trace of that name.
 */
export async function importBundle(
  place: Place,
  path: string,
  trustedKey: string | undefined,
): Promise<ImportOutcome> {
  const bundle = openBundle(path);
  try {
    const report = await verifyTrace(bundle, {
      profile: "default",
      mode: "full",
      threads: place.threads,
      trustedKey,
    });
    if (report.status === "fail" || report.trace === null) return { kind: "refused", report };
    if (isPresent(place, report)) return { kind: "present", report };
    return { kind: await store(place, bundle, report), report };
  } finally {
    bundle.close();
  }
}

/** Evidence first, then the entries that cite it. Another process may have stored the same meanwhile. */
async function store(
  place: Place,
  bundle: OpenBundle,
  report: VerificationReport,
): Promise<"imported" | "present"> {
  for (const hash of bundle.artifactHashes ?? []) {
    storeVerified(place, hash, bundle.artifact(hash) ?? []);
  }
  try {
    const content = { pieces: bundle.lines(), note: bundle.checkpoint ?? "" };
    await storeEntries(place, report, content);
    return "imported";
  } catch (error) {
    const isLate = error instanceof SwornError && error.code === "ALREADY_EXISTS";
    if (isLate && isPresent(place, report)) return "present";
    throw error;
  }
}

/** Whether the store has the very same entries; a trace without any does not count as there. */
function isPresent(place: Place, { trace, head, entries }: VerificationReport): boolean {
  if (trace === null || !place.traces().includes(trace)) return false;
  const ledger = openForReading(place, trace);
  try {
    ledger.catchUp(() => {});
    if (ledger.head.hash === head) return true;
    if (ledger.head.size === 0) return false;
    throw new SwornError(
      "ALREADY_EXISTS",
      `the store has ${trace} already with ${ledger.head.size} entries, the bundle has ${entries}; nothing was changed`,
    );
  } finally {
    ledger.close();
  }
}

/** The bundle could have changed since it was verified, so the hash is looked at once more. */
function storeVerified(place: Place, hash: string, chunks: Iterable<Buffer>): void {
  const stored = place.artifacts.putChunks(chunks);
  if (stored.hash !== hash)
    throw new SwornError("BUNDLE_MALFORMED", `artifact ${hash} changed while it was imported`);
}

async function storeEntries(
  place: Place,
  { trace, head }: VerificationReport,
  content: { pieces: AsyncIterable<Buffer> | Iterable<Buffer>; note: string },
): Promise<void> {
  if (trace === null || head === null) return;
  place.prepareTrace(trace);
  const path = place.ledgerPath(trace);
  try {
    await LocalLedger.receive(trace, path, place.heads(trace), { ...content, head });
  } catch (error) {
    const code = error instanceof SwornError ? error.code : "LEDGER_WRITE_FAILED";
    throw new SwornError(code, `nothing was imported: ${messageOf(error)}`, { cause: error });
  }
}

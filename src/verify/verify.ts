import { canonicalize, SwornError } from "../base/index.ts";
import { CHECKS, TraceId, type VerificationReport } from "../schema/index.ts";
import { runtimeKeysOf, type Session } from "../view/index.ts";
import { openBundle } from "./bundle.ts";
import { checkCheckpoint, checkOutsideHeads, checkTrust, sizesOf } from "./checkpoint.ts";
import { checkArtifacts, checkClaims, checkReports } from "./evidence.ts";
import { readFast } from "./fast.ts";
import { Findings } from "./findings.ts";
import { KeyWatch } from "./key-watch.ts";
import { splitLines, TOO_LONG } from "./line.ts";
import {
  type CheckedPiece,
  inlineChecker,
  type LineChecker,
  threadedChecker,
} from "./line-checker.ts";
import { type OverlongLine, wholeLines } from "./pieces.ts";
import type { TraceSource, VerifyOptions } from "./source.ts";
import type { FileWindow } from "./tar-members.ts";
import { TracePass } from "./trace-pass.ts";

/** Below this a trace is checked before threads have even started. */
const THREADS_FROM_BYTES = 1 << 20;

/**
 * Verifies a bundle file. Reads nothing but that file and writes nothing at all.
 *
 * @throws SwornError `NOT_FOUND` when there is no such file. What is wrong *in* the file is a finding.
 */
export async function verifyBundle(
  path: string,
  options: VerifyOptions,
  window?: FileWindow,
): Promise<VerificationReport> {
  try {
    const bundle = openBundle(path, window);
    try {
      return await verifyTrace(bundle, options);
    } finally {
      bundle.close();
    }
  } catch (error) {
    if (!(error instanceof SwornError) || error.code !== "BUNDLE_MALFORMED") throw error;
    const findings = new Findings(options.profile);
    findings.add("BUNDLE_MALFORMED", null, error.message);
    findings.skip(CHECKS);
    return findings.report({
      trace: null,
      entries: 0,
      head: null,
      state: "unknown",
      mode: options.mode,
      signer: null,
    });
  }
}

/** Verifies a trace from wherever it lies. The report is the same, byte for byte, for the same content. */
export async function verifyTrace(
  source: TraceSource,
  options: VerifyOptions,
): Promise<VerificationReport> {
  return options.mode === "fast" ? verifyFast(source, options) : verifyFully(source, options);
}

async function verifyFully(
  source: TraceSource,
  options: VerifyOptions,
): Promise<VerificationReport> {
  const findings = new Findings(options.profile);
  const notes = source.outsideHeads ?? [];
  const pass = new TracePass(findings, sizesOf(notes, source.trace ?? ""));
  const watch = new KeyWatch();
  await readEntries(source, watch, pass, options);
  // Only a key that the rules let the runtime have counts; a forged hand-over changes nothing.
  const runtimeKeys = pass.isWhole ? runtimeKeysOf(pass.session) : watch.runtimeKeys;
  const runtimeKey = runtimeKeys.at(-1);
  const { tree, rootAt } = pass;
  const reading = { trace: source.trace ?? pass.trace, tree, rootAt, runtimeKey, runtimeKeys };
  checkTraceId(findings, source, pass.trace);
  checkCheckpoint(findings, source.checkpoint, reading);
  checkOutsideHeads(findings, source.outsideHeads, reading);
  const bad = checkArtifacts(findings, source, pass);
  if (pass.isWhole) {
    checkKeys(findings, source, pass);
    checkClaims(findings, pass.session, bad);
    checkReports(findings, source, pass, bad);
    checkEnd(findings, pass.session, options);
  }
  const signer = checkTrust(findings, runtimeKey, options.trustedKey);
  return findings.report({
    trace: TraceId.safeParse(pass.trace).data ?? null,
    entries: pass.tree.size,
    head: pass.head ?? null,
    state: pass.isWhole ? pass.session.state : "failed",
    mode: "full",
    signer,
  });
}

async function verifyFast(
  source: TraceSource,
  options: VerifyOptions,
): Promise<VerificationReport> {
  const findings = new Findings(options.profile);
  const reading = await readFast(findings, source);
  checkTraceId(findings, source, reading.trace);
  checkCheckpoint(findings, source.checkpoint, reading);
  checkOutsideHeads(findings, source.outsideHeads, reading);
  const signer = checkTrust(findings, reading.runtimeKey, options.trustedKey);
  return findings.report({
    trace: TraceId.safeParse(reading.trace).data ?? null,
    entries: reading.tree.size,
    head: reading.head ?? null,
    state: "unknown",
    mode: "fast",
    signer,
  });
}

/** Feeds the lines to the checker and the checked lines, in order, to the pass. */
async function readEntries(
  source: TraceSource,
  watch: KeyWatch,
  pass: TracePass,
  options: VerifyOptions,
): Promise<void> {
  const threaded = options.threads > 0 && source.entriesBytes >= THREADS_FROM_BYTES;
  const checker = threaded ? threadedChecker(options.threads) : inlineChecker();
  const underWay: Promise<CheckedPiece>[] = [];
  const takeOldest = async () => {
    const piece = await underWay.shift();
    if (piece) takePiece(piece, pass);
    options.onProgress?.(pass.tree.size);
  };
  try {
    for await (const piece of wholeLines(source)) {
      if (pass.isHopeless) break;
      underWay.push(begin(checker, piece, watch));
      if (underWay.length >= checker.width) await takeOldest();
    }
    while (underWay.length > 0) await takeOldest();
  } finally {
    await Promise.allSettled(underWay);
    await checker.close();
  }
}

function begin(
  checker: LineChecker,
  bytes: Buffer | OverlongLine,
  watch: KeyWatch,
): Promise<CheckedPiece> {
  if ("hash" in bytes) {
    const problems = new Map([[0, TOO_LONG]]);
    return Promise.resolve({ lines: [Buffer.alloc(0)], hashes: bytes.hash, problems });
  }
  const lines = splitLines(bytes);
  const checked = checker.check(
    { bytes, lines },
    lines.flatMap((line) => watch.look(line)),
  );
  // Its turn comes later; until then a rejection must not count as unhandled.
  checked.catch(() => {});
  return checked;
}

function takePiece({ lines, hashes, problems }: CheckedPiece, pass: TracePass): void {
  for (const [index, line] of lines.entries()) {
    const hash = Buffer.from(hashes.buffer, hashes.byteOffset + 32 * index, 32).toString("hex");
    pass.take(line, hash, problems.get(index));
  }
}

/** The list of keys that came along must be the one the entries tell; compromised keys are named. */
function checkKeys(findings: Findings, source: TraceSource, pass: TracePass): void {
  if (source.keys !== undefined && source.keys !== keysDocument(pass.session)) {
    findings.add(
      "BUNDLE_MALFORMED",
      null,
      "keys.json does not list the keys that the entries enrol",
    );
  }
  for (const [key, { agent, compromisedFrom }] of pass.session.keys) {
    const seq =
      compromisedFrom === undefined ? undefined : pass.firstSignedFrom(key, compromisedFrom);
    if (seq !== undefined) {
      findings.add(
        "KEY_COMPROMISED",
        seq,
        `entry ${seq}: signed with the key ${key} of ${agent}, compromised from entry ${compromisedFrom} on`,
      );
    }
  }
}

/** A whole record of another trace is not the one that was asked for. */
function checkTraceId(findings: Findings, source: TraceSource, found: string | undefined): void {
  if (source.trace === undefined || found === undefined || found === source.trace) return;
  findings.add("CHAIN_BREAK", 0, `the entries are of ${found}, expected ${source.trace}`);
}

/** The list of public keys that a bundle carries: what the entries enrolled, in order of appearance. */
export function keysDocument(session: Session): string {
  const keys = [...session.keys].map(([key, { agent, public: publicText, status }]) => ({
    agent,
    key,
    public: publicText,
    status,
  }));
  return `${canonicalize({ keys })}\n`;
}

function checkEnd(findings: Findings, session: Session, options: VerifyOptions): void {
  for (const seq of session.gaps) {
    findings.add(
      "GAP_RECORDED",
      seq,
      `entry ${seq}: the operator accepted that earlier entries were lost`,
    );
  }
  if (session.state === "completed" || options.expectOpen) return;
  findings.add(
    "SESSION_NOT_COMPLETED",
    null,
    `the session is ${session.state}: nothing in it counts as done`,
  );
}

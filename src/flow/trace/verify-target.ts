import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { decodeUtf8, messageOf, parseJson, SwornError } from "../../base/index.ts";
import { LINE_BYTES_MAX, Proof, type VerificationReport } from "../../schema/index.ts";
import type { PacketReport } from "../../schema/packet-report.ts";
import {
  type ProofVerdict,
  type VerifyOptions,
  verifyBundle,
  verifyProof,
  verifyTrace,
} from "../../verify/index.ts";
import { isPacket, verifyPacket } from "../../verify/packet/index.ts";
import { isWorkId, type Place } from "../place.ts";
import { issueWords } from "../words/issue-words.ts";
import { foreignFile } from "./foreign-file.ts";

const PROOF_BYTES_MAX = 4 << 20;

/** What a proof is about; worth as much as the verdict says. */
export interface ProofFacts {
  readonly trace: string;
  readonly seq: number;
  readonly size: number;
  /** The key it was checked with: the reader's, or else the one that the proof itself names. */
  readonly signer: string;
  /** The type of the entry; null when the entry has none. */
  readonly type: string | null;
  /** The earlier size that it shows to be a prefix, where it does. */
  readonly since: number | null;
}

/** What `sworn verify` was given, and what it found. */
export type VerifyOutcome =
  | {
      readonly kind: "trace";
      readonly report: VerificationReport;
      /** Whether it is a trace of this project's store. */
      readonly isLocal: boolean;
      /** What the file is, where it was never a bundle. */
      readonly foreign?: string | undefined;
    }
  | { readonly kind: "packet"; readonly report: PacketReport }
  | { readonly kind: "proof"; readonly verdict: ProofVerdict; readonly facts: ProofFacts };

/**
 * Verifies a bundle file, a packet, a proof file, or a trace of this project. Only the last needs a place, the
 * keys' folder and a database; a stranger's machine may have none of them.
 */
export async function verifyTarget(
  openPlace: () => Promise<Place>,
  target: string,
  options: VerifyOptions,
): Promise<VerifyOutcome> {
  const kind = existsSync(target) ? statSync(target) : undefined;
  if (kind?.isFile()) {
    if (isJson(target)) return judgeProof(readProof(target), options.trustedKey);
    if (isPacket(target)) return { kind: "packet", report: await verifyPacket(target, options) };
    const report = await verifyBundle(target, options);
    return { kind: "trace", report, isLocal: false, foreign: foreignFile(target) };
  }
  if (!namesTrace(target)) {
    const found = kind?.isDirectory() ? `${target} is a folder` : `there is no file ${target}`;
    throw new SwornError(
      "NOT_FOUND",
      `${found}; expected a bundle, a packet, a proof, a trace id, a work's id, or a branch that was delivered`,
    );
  }
  const place = await openPlace();
  const { assertBegun } = await import("../record/assert-begun.ts");
  const trace = place.find(target);
  assertBegun(place, trace);
  const report = await verifyLocal(place, trace, options);
  return { kind: "trace", report, isLocal: true };
}

/** Whether this is the name of a record of this project, which no folder beside it hides. */
export function namesTrace(target: string): boolean {
  return target === "latest" || target.startsWith("trace_") || isWorkId(target);
}

function judgeProof(proof: Proof, trustedKey: string | undefined): VerifyOutcome {
  const { trace, seq, size, entry, consistency } = proof;
  const found = verifyProof(proof, trustedKey);
  const isOther =
    found.status === "fail" &&
    trustedKey !== undefined &&
    verifyProof(proof, undefined).status === "pass";
  const verdict = isOther
    ? {
        status: "fail" as const,
        reasons: [`the proof is signed with ${proof.signer}, expected ${trustedKey.trim()}`],
      }
    : found;
  const signer = verdict.status === "pass" && trustedKey ? trustedKey.trim() : proof.signer;
  const since = consistency?.size ?? null;
  return {
    kind: "proof",
    verdict,
    facts: { trace, seq, size, signer, type: typeOf(entry), since },
  };
}

/** The entry is shown to a person only: one that cannot be read has no type to show. */
function typeOf(entry: string): string | null {
  try {
    const { type } = parseJson(entry, LINE_BYTES_MAX) as { type?: unknown };
    return typeof type === "string" ? type : null;
  } catch {
    return null;
  }
}

/** Verifies a trace of this project. */
export async function verifyLocal(
  place: Place,
  trace: string,
  options: VerifyOptions,
): Promise<VerificationReport> {
  const { openForReading } = await import("./reading.ts");
  const { localSource } = await import("./local-source.ts");
  const ledger = openForReading(place, trace);
  try {
    return await verifyTrace(localSource(place, ledger), options);
  } finally {
    ledger.close();
  }
}

function isJson(path: string): boolean {
  return path.endsWith(".json");
}

function readProof(path: string): Proof {
  if (basename(path) === "manifest.json") {
    const next = `sworn verify ${basename(dirname(resolve(path)))}`;
    const what = `${path} is the manifest of a sealed run, which is verified with its record`;
    throw new SwornError("INPUT_INVALID", `${what}: ${next}`);
  }
  try {
    if (statSync(path).size > PROOF_BYTES_MAX)
      throw new SwornError("LIMIT_EXCEEDED", `larger than ${PROOF_BYTES_MAX} bytes`);
    const input = parseJson(decodeUtf8(readFileSync(path)), PROOF_BYTES_MAX);
    const parsed = Proof.safeParse(input);
    if (parsed.success) return parsed.data;
    throw new SwornError("INPUT_INVALID", issueWords(parsed.error.issues, { shape: Proof, input }));
  } catch (cause) {
    throw new SwornError("INPUT_INVALID", `${path} is not a proof: ${messageOf(cause)}`, { cause });
  }
}

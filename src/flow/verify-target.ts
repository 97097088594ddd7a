import { existsSync, readFileSync, statSync } from "node:fs";
import { decodeUtf8, messageOf, parseJson, SwornError } from "../base/index.ts";
import { Proof, TraceId, type VerificationReport } from "../schema/index.ts";
import {
  type ProofVerdict,
  type VerifyOptions,
  verifyBundle,
  verifyProof,
  verifyTrace,
} from "../verify/index.ts";
import type { Place } from "./place.ts";

const PROOF_BYTES_MAX = 4 << 20;

/** What `sworn verify` was given, and what it found. */
export type VerifyOutcome =
  | { readonly kind: "trace"; readonly report: VerificationReport }
  | { readonly kind: "proof"; readonly verdict: ProofVerdict };

/**
 * Verifies a bundle file, a proof file, or a trace of this project. Only the last needs a place, the
 * keys' folder and a database; a stranger's machine may have none of them.
 */
export async function verifyTarget(
  openPlace: () => Promise<Place>,
  target: string,
  options: VerifyOptions,
): Promise<VerifyOutcome> {
  if (existsSync(target) && statSync(target).isFile()) {
    return isJson(target)
      ? { kind: "proof", verdict: verifyProof(readProof(target), options.trustedKey) }
      : { kind: "trace", report: await verifyBundle(target, options) };
  }
  if (target !== "latest" && !TraceId.safeParse(target).success && !target.startsWith("trace_")) {
    throw new SwornError(
      "NOT_FOUND",
      `there is no file ${target}; expected a bundle, a proof, or a trace id`,
    );
  }
  const place = await openPlace();
  return { kind: "trace", report: await verifyLocal(place, place.find(target), options) };
}

async function verifyLocal(
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
  try {
    if (statSync(path).size > PROOF_BYTES_MAX)
      throw new SwornError("LIMIT_EXCEEDED", `larger than ${PROOF_BYTES_MAX} bytes`);
    const parsed = Proof.safeParse(parseJson(decodeUtf8(readFileSync(path)), PROOF_BYTES_MAX));
    if (parsed.success) return parsed.data;
    throw new SwornError(
      "INPUT_INVALID",
      `${parsed.error.issues[0]?.path.join(".")}: ${parsed.error.issues[0]?.message}`,
    );
  } catch (cause) {
    throw new SwornError("INPUT_INVALID", `${path} is not a proof: ${messageOf(cause)}`, { cause });
  }
}

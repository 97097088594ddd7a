import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile, SwornError } from "../../base/index.ts";
import type { PullKind } from "../../egress/index.ts";
import { LocalLedger } from "../../ledger/local.ts";
import { type Comparison, compareManifests, verifyManifest } from "../../run/manifest/index.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Place } from "../place.ts";
import { type ExecRequest, exec } from "./exec.ts";
import type { ExecOutcome } from "./exec-outcome.ts";
import { POLICY } from "./exec-record.ts";
import { findRunTrace } from "./find-run.ts";
import { startedIn } from "./work-copy.ts";

const MANIFEST_BYTES_MAX = 256 * (1 << 20);
const NOTE_BYTES_MAX = 65_536;

/** What running it again gave. */
export interface Reproduction {
  readonly first: string;
  readonly outcome: ExecOutcome;
  /** Undefined when the second run did not get as far as a manifest. */
  readonly comparison: Comparison | undefined;
}

/**
 * Runs a recorded run again, from the same commit, in the same environment and with the same seed,
 * and compares every hash. Only a manifest that our own policy engine signed is repeated: it says
 * what is going to be run.
 *
 * @throws SwornError `NOT_FOUND` without a manifest, `LEDGER_CORRUPT` when it is not as it was signed.
 */
export async function reproduce(
  wanted: string,
  place: Place,
  request: Omit<
    ExecRequest,
    | "argv"
    | "installs"
    | "environment"
    | "rationale"
    | "task"
    | "engine"
    | "seed"
    | "limits"
    | "at"
    | "start"
    | "pull"
  >,
  pull: readonly PullKind[],
): Promise<Reproduction> {
  const trace = findRunTrace(place, wanted);
  const first = readManifest(trace, place);
  const outcome = await exec({
    ...request,
    ...(first.install === null
      ? { installs: false, pull }
      : { installs: true, pull: ["npm"], isPinned: true }),
    argv: first.argv,
    environment: first.environment.name === "host" ? "host" : first.environment.digest,
    engine: first.engine,
    rationale: `as in ${trace}, which is run again`,
    task: first.task_id,
    seed: first.seed,
    limits: first.limits,
    at: first.input.commit ?? undefined,
    start: startedIn(first.cwd),
  });
  const { manifest, refused } = outcome;
  if (manifest === undefined || refused !== undefined) {
    return { first: trace, outcome, comparison: undefined };
  }
  const comparison = compareManifests(first, manifest);
  // What was cut short says nothing about how it would have ended.
  const isWhole = first.exit.limit === null && manifest.exit.limit === null;
  return {
    first: trace,
    outcome,
    comparison: { ...comparison, isReproduced: comparison.isReproduced && isWhole },
  };
}

function readManifest(trace: string, place: Place): Manifest {
  const folder = join(place.store, "runs", trace);
  const path = join(folder, "manifest.json");
  const notePath = join(folder, "manifest.note");
  if (!existsSync(path) || !existsSync(notePath)) {
    throw new SwornError(
      "NOT_FOUND",
      `${trace} has no signed manifest, because it is no run of this project or its run did not count; "sworn trace ls" lists others`,
    );
  }
  const note = readPlainFile(notePath, NOTE_BYTES_MAX).toString();
  const key = place.keyring.current(POLICY.agent)?.public ?? "";
  const verdict = verifyManifest(readPlainFile(path, MANIFEST_BYTES_MAX), note, key);
  if (verdict.isValid) {
    assertRecorded(trace, verdict.digest, place);
    assertWhole(trace, verdict.manifest);
    return verdict.manifest;
  }
  throw new SwornError(
    "LEDGER_CORRUPT",
    `the manifest of ${trace} does not verify: ${verdict.reason}`,
  );
}

/** Signed is not enough: another run's manifest is signed as well. */
function assertRecorded(trace: string, digest: string, place: Place): void {
  const ledger = LocalLedger.openForReading(trace, place.ledgerPath(trace));
  try {
    for (const line of ledger.read()) if (line.includes(`"${digest}"`)) return;
  } finally {
    ledger.close();
  }
  throw new SwornError(
    "LEDGER_CORRUPT",
    `the manifest beside ${trace} is not the one on its record`,
  );
}

/** What was taken out of a command before it was written down cannot be run. */
function assertWhole(trace: string, { argv }: Manifest): void {
  if (!argv.some((word) => word.includes("[REDACTED:"))) return;
  throw new SwornError(
    "INPUT_INVALID",
    `the command of ${trace} held a secret or personal data, which was not recorded; it cannot be run again`,
  );
}

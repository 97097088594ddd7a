import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { SwornError } from "../../base/index.ts";
import { verifyTarget } from "../../flow/verify-target.ts";
import { type Call, type Run, textOf } from "../command.ts";
import { openPlace } from "../config.ts";
import { progress } from "../progress.ts";
import { proofWords, reportWords } from "../report-words.ts";

const PROFILES = ["strict", "default", "lenient"] as const;

export const run: Run = async (call) => {
  const { io } = call;
  const target = call.positionals[0] ?? "";
  const bar = progress(io, "verified");
  const outcome = await verifyTarget(
    openPlace(io),
    existsSync(resolve(io.cwd, target)) ? resolve(io.cwd, target) : target,
    {
      profile: profileOf(call),
      mode: call.values["fast"] ? "fast" : "full",
      trustedKey: trustedKeyOf(call),
      threads: Math.min(availableParallelism(), 8),
      onProgress: bar.update,
    },
  );
  bar.end();
  if (outcome.kind === "proof") {
    return {
      exit: outcome.verdict.status === "pass" ? 0 : 4,
      json: outcome.verdict,
      words: proofWords(outcome.verdict),
    };
  }
  const { report } = outcome;
  const isPinned = textOf(call, "key") !== undefined;
  return {
    exit: report.status === "fail" ? 4 : 0,
    json: report,
    words: reportWords(report, isPinned),
  };
};

function profileOf(call: Call): (typeof PROFILES)[number] {
  const wanted = textOf(call, "profile") ?? "default";
  const profile = PROFILES.find((name) => name === wanted);
  if (profile) return profile;
  throw new SwornError(
    "INPUT_INVALID",
    `--profile: expected ${PROFILES.join(", ")}, found "${wanted}"`,
  );
}

/** A verifier key, or a file that holds one. */
export function trustedKeyOf(call: Call): string | undefined {
  const given = textOf(call, "key");
  if (given === undefined) return undefined;
  const path = resolve(call.io.cwd, given);
  return existsSync(path) ? readFileSync(path, "utf8") : given;
}

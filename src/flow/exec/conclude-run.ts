import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { admit } from "../../admit/index.ts";
import { messageOf, sha256Hex } from "../../base/index.ts";
import type { EgressLogLine } from "../../egress/index.ts";
import {
  type Collected,
  collectOutput,
  type JudgedOutput,
  judgeOutput,
} from "../../run/collect/index.ts";
import { type Executed, FIXED, type Printed } from "../../run/index.ts";
import { makeManifest } from "../../run/manifest/index.ts";
import type { Prepared } from "../../sandbox/index.ts";
import { awaitingReview, redact } from "../../scan/classify/index.ts";
import type { AdmissionDecision } from "../../schema/admission.ts";
import type { RequestedArtifact } from "../../schema/index.ts";
import type { EgressLine, Manifest } from "../../schema/manifest.ts";
import { standing } from "../exception/standing-exceptions.ts";
import { tellUsed } from "../exception/tell-of.ts";
import { documents, type EndedRun, NO_EXIT, summaryOf } from "./ended-run.ts";
import type { ExecScene } from "./exec.ts";
import { recordable } from "./exec-facts.ts";
import { type ExecOutcome, type ExecRefusal, instantOf, refusalOf } from "./exec-outcome.ts";
import { takeSbom } from "./exec-sbom.ts";
import { holdRun } from "./hold-run.ts";
import { keepManifest, signRun } from "./keep-manifest.ts";
import { startOf } from "./work-copy.ts";

/** What is recorded of a stream. */
const RECORDED_CHARS_MAX = 262_144;

interface Ran {
  readonly decision: AdmissionDecision;
  readonly prepared: Prepared;
  readonly ran: Extract<Executed, { kind: "ran" }>;
  readonly startedAt: { wallMs: number; monotonicUs: number };
}

/**
 * Takes the output, judges it, asks the policies whether the run counts as done, and writes and
 * signs its manifest. Nothing reaches the caller's folder before that.
 */
export async function concludeRun(scene: ExecScene, run: Ran): Promise<ExecOutcome> {
  const { place, record, limits, folder, facts, policies, pull } = scene;
  const { ran, prepared } = run;
  const endedAt = instantOf(place);
  const copies = folder.private("copies");
  const collected = collectOutput(prepared.output, limits, copies);
  const judged = judgeOutput(copies, collected.files);
  const output = {
    secret_files: judged.blocking.map(({ path }) => path),
    // Nobody can have cleared bytes that were just made.
    unreviewed_flags: awaitingReview(judged.files, facts.requester, [])
      .filter(({ isBlocking }) => !isBlocking)
      .map(({ path }) => path),
    missing_sidecars: [],
    deliveries: [],
  };
  const complete = { moment: "complete", ...facts, output };
  const decision = await admit(complete, policies, standing(scene.exceptions), place.clock);
  const told = new Set(run.decision.exceptions.map(({ id, rule }) => `${id} ${rule}`));
  const fresh = decision.exceptions.filter(({ id, rule }) => !told.has(`${id} ${rule}`));
  tellUsed(scene.exceptions, fresh, scene.request.onStep);
  const refusal = whyNot(collected, decision);
  const sbom = partsOf(scene, copies);
  const logged = (pull?.log ?? []).map((line) => JSON.stringify(line)).join("\n");
  const manifest = manifestOf(scene, run, decision, { collected, judged, endedAt, logged, sbom });
  const isCancelled = ran.end.limit === "cancelled";
  // A signature says that the run was let through, so there is none otherwise.
  const note = refusal || isCancelled ? undefined : await signRun(place, manifest);
  const artifacts = [
    ...documents(manifest, note, decision),
    // The output may not be kept, and the same list is not made twice.
    ...(sbom === null ? [] : [listed(sbom, copies)]),
    printed("stdout.txt", ran.stdout),
    printed("stderr.txt", ran.stderr),
    ...(pull
      ? [{ name: "egress.jsonl", text: `${logged}\n`, media_type: "application/jsonl" }]
      : []),
  ];
  const manifestPath = keepManifest(place, record.trace, manifest, note);
  const ended = { ran, judged, manifest, manifestPath, copies, artifacts };
  if (refusal !== undefined && !isCancelled && isFlaggedOnly(collected, decision)) {
    return await holdRun(scene, { ...ended, facts: recordable(complete) });
  }
  return await endRun(scene, ended, refusal);
}

async function endRun(
  scene: ExecScene,
  { ran, judged, manifest, manifestPath, copies, artifacts }: EndedRun,
  refusal: ExecRefusal | undefined,
): Promise<ExecOutcome> {
  const { record, request, pull } = scene;
  const { limit, signal, code } = ran.end;
  const outcome = { trace: record.trace, manifest, manifestPath, egress: pull?.log ?? [] };
  if (refusal !== undefined) {
    await record.failed(`the run does not count: ${refusal.rule}: ${refusal.reason}`, artifacts);
    return { ...outcome, refused: refusal, exit: undefined, limit };
  }
  if (limit === "cancelled") {
    await record.failed("it was cancelled; what it left until then is in the manifest", artifacts);
    return { ...outcome, refused: undefined, exit: undefined, limit };
  }
  const exit = limit === undefined ? code : undefined;
  await record.completed(exit ?? NO_EXIT, summaryOf(ran, judged.files.length), artifacts);
  // Last: what the caller finds there is on record.
  if (request.out !== undefined) cpSync(copies, request.out, { recursive: true });
  return { ...outcome, refused: undefined, exit, limit: limit ?? signal };
}

function listed({ path }: NonNullable<Manifest["sbom"]>, copies: string): RequestedArtifact {
  const text = readFileSync(join(copies, path), "utf8");
  return { name: "sbom.spdx.json", text, media_type: "application/spdx+json" };
}

/** A lockfile that nobody can read must not undo a run; that there is no list of parts is said. */
function partsOf(scene: ExecScene, copies: string): Manifest["sbom"] {
  try {
    return takeSbom(scene, copies);
  } catch (error) {
    scene.request.onStep(`no list of parts was made: ${messageOf(error)}`);
    return null;
  }
}

/** Whether nothing keeps the run from counting but files that somebody has to look at. */
function isFlaggedOnly({ limit }: Collected, { matched, errors }: AdmissionDecision): boolean {
  return limit === undefined && errors.length === 0 && matched.every((rule) => rule === "S.3");
}

/** What was not listed whole was not judged whole, whatever the policies say of the rest. */
function whyNot({ limit }: Collected, decision: AdmissionDecision): ExecRefusal | undefined {
  if (limit !== undefined) {
    const reason = `the task left more than ${limit} allows, so not all of it could be looked at`;
    return { rule: "X.1", reason };
  }
  return decision.decision === "allow" ? undefined : refusalOf(decision);
}

interface Gathered {
  readonly collected: Collected;
  readonly judged: JudgedOutput;
  readonly endedAt: { wallMs: number; monotonicUs: number };
  readonly logged: string;
  readonly sbom: Manifest["sbom"];
}

function manifestOf(
  scene: ExecScene,
  { prepared, ran, startedAt }: Ran,
  decision: AdmissionDecision,
  { collected, judged, endedAt, logged, sbom }: Gathered,
): Manifest {
  const { facts, request, limits, pull } = scene;
  return makeManifest({
    taskId: scene.task,
    environment: facts.environment,
    engine: request.engine,
    containerId: scene.run,
    install: pull?.install,
    argv: request.argv,
    cwd: startOf(scene.input.folder),
    env: scene.env,
    input: {
      commit: scene.input.commit,
      tree: scene.input.tree,
      sha256: scene.input.laidOut.sha256,
    },
    output: judged.files,
    refused: collected.refused.map(({ path, reason }) => ({ path, reason })),
    started: startedAt,
    ended: endedAt,
    limits,
    controls: prepared.controls,
    seed: request.seed,
    sourceDateEpoch: scene.input.seconds,
    ...FIXED,
    egress: pull && { lines: linesOf(pull.log), logSha256: sha256Hex(logged) },
    policy: {
      digest: decision.policy_digest,
      decision: collected.limit === undefined ? decision.decision : "deny",
      matched: decision.matched,
      exceptions: decision.exceptions.map(({ id }) => id),
    },
    sbom,
    exit: ran.end,
  });
}

/** What it printed goes into a record that is kept for years, so not as it came. */
function printed(name: string, { kept, bytes }: Printed): RequestedArtifact {
  const whole = kept.toString("utf8");
  // Cut afterwards: half a secret would not be recognised.
  const clean = redact(whole).text;
  const text = clean.slice(0, RECORDED_CHARS_MAX).toWellFormed();
  const isCut = kept.length < bytes || clean.length > RECORDED_CHARS_MAX;
  return {
    name,
    text: isCut ? `${text}\n[${bytes} bytes in all]\n` : text,
    media_type: "text/plain",
  };
}

function linesOf(log: readonly EgressLogLine[]): EgressLine[] {
  const lines = new Map<string, EgressLine>();
  for (const { host, method, bytesIn, bytesOut, verdict } of log) {
    const domain = host === "" ? "(no host name)" : host;
    const key = `${domain} ${method}`;
    const { requests = 0, refused: no = 0, bytes_in = 0, bytes_out = 0 } = lines.get(key) ?? {};
    lines.set(key, {
      domain,
      method,
      requests: requests + 1,
      refused: no + (verdict === "refused" ? 1 : 0),
      bytes_in: bytes_in + bytesIn,
      bytes_out: bytes_out + bytesOut,
    });
  }
  return [...lines.values()];
}

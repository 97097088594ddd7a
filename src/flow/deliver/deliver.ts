import { existsSync } from "node:fs";
import { admit } from "../../admit/index.ts";
import { SwornError } from "../../base/index.ts";
import { loadPolicies } from "../../policy/index.ts";
import { findExceptions, standing } from "../exception/standing-exceptions.ts";
import { type ExecRefusal, refusalOf } from "../exec/exec-outcome.ts";
import { findRunTrace } from "../exec/find-run.ts";
import type { Place } from "../place.ts";
import { policySource } from "../policy/policy-source.ts";
import { CONFIG_NAME } from "../workflow-config.ts";
import { compareOutput } from "./compare-output.ts";
import { readConcludedRun } from "./concluded-run.ts";
import { deliveryFacts, type OpenSink, runSummary } from "./deliver-facts.ts";
import { DeliverRecord } from "./deliver-record.ts";
import { type HandedOver, handOver } from "./hand-over.ts";
import { openSink, tokenOf } from "./open-sink.ts";
import { encrypterFor } from "./seal-packet.ts";

/** What a person asked to have delivered. */
export interface DeliverRequest {
  readonly place: Place;
  /** The root of the project, whose own policies do not count. */
  readonly root: string;
  /** A trace, or a copy of its manifest. */
  readonly run: string;
  /** The folder that the run's output was copied to. */
  readonly out: string;
  /** The name of a sink in `sworn.yaml`. */
  readonly to: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  readonly onProgress: (done: "packed" | "sent", bytes: number) => void;
}

/** What came of it. */
export interface DeliverOutcome {
  /** The record of the delivery itself. */
  readonly trace: string;
  readonly run: string | undefined;
  readonly destination: string;
  readonly manifest: string | undefined;
  readonly refused: ExecRefusal | undefined;
  readonly packet: HandedOver | undefined;
}

/**
 * Hands over what a run left, to a place that the operator listed: the only way out there is. An
 * unlisted place is refused before anything of the run is read; everything else is compared and
 * decided before anything is written.
 */
export async function deliver(request: DeliverRequest): Promise<DeliverOutcome> {
  const { place, to } = request;
  const record = new DeliverRecord(place);
  try {
    const sink = openSink(place, to, request.home);
    if (sink === undefined) return await refuseUnlisted(record, to);
    // First, so that nobody waits for a packet that could not be sent.
    await encrypterFor(sink.listed.recipients ?? []);
    const token = tokenOf(sink.listed, request.env);
    return await deliverTo(request, record, sink, token);
  } finally {
    record.close();
  }
}

async function refuseUnlisted(record: DeliverRecord, to: string): Promise<DeliverOutcome> {
  // A word that is no name of a sink could be an address with a token in it.
  const shown = /^[\w.-]{1,64}$/.test(to) ? to : "a place that has no name";
  const refused = {
    rule: "U.2",
    reason: `${shown} is not listed under deliver in ${CONFIG_NAME}; have the operator list it, or choose one that is`,
  };
  await record.asked(`deliver to ${shown}`, { to: shown, listed: false });
  await record.decided(refused, shown, {});
  return outcomeOf(record, { destination: shown, refused });
}

async function deliverTo(
  request: DeliverRequest,
  record: DeliverRecord,
  sink: OpenSink,
  token: string | undefined,
): Promise<DeliverOutcome> {
  const { place, onStep } = request;
  const { destination } = sink.place;
  const trace = findRunTrace(place, request.run);
  const objective = `deliver ${trace} to ${sink.name}`;
  const known = { run: trace, destination };
  const run = await readConcludedRun(place, trace);
  if ("rule" in run) return await refuseEarly(record, objective, run, known);
  onStep(`the manifest is signed and on record: ${run.digest.slice(0, 12)}`);
  if (!existsSync(request.out)) {
    throw new SwornError("NOT_FOUND", `--out: there is no folder ${request.out}`);
  }
  const output = compareOutput(request.out, run.manifest, run.cleared);
  if ("rule" in output) return await refuseEarly(record, objective, output, known);
  onStep(`${output.files.length} files are as the run left them`);
  const facts = deliveryFacts(run, output, sink);
  const decision = await decideAll(request, facts);
  const refused = decision.decision === "allow" ? undefined : refusalOf(decision);
  await record.asked(objective, { ...known, facts });
  await record.decided(refused, destination, { summary: runSummary(run), decision });
  const about = { ...known, manifest: run.digest };
  if (refused) return outcomeOf(record, { ...about, refused });
  onStep(`admitted by the policies ${decision.policy_digest.slice(0, 12)}`);
  await record.began();
  const packet = await record.attempt(() =>
    handOver({ ...request, record, run, files: output.files, sink, token }),
  );
  const { name, bytes, sha256 } = packet;
  const words = `${trace} was delivered to ${sink.name} as ${name}: ${bytes} bytes, sha256:${sha256}`;
  const arrived = { v: 1, ...about, sink: sink.name, ...packet };
  await record.completed(words, arrived, "Delivered again, it would arrive a second time.");
  return outcomeOf(record, { ...about, packet });
}

/** The first no, or the last yes. */
async function decideAll({ place, root }: DeliverRequest, facts: readonly unknown[]) {
  const policies = await loadPolicies(policySource(place.state, [root]));
  try {
    const exceptions = standing(await findExceptions(place));
    const decide = (one: unknown) => admit(one, policies, exceptions, place.clock);
    let decision = await decide(facts[0]);
    for (const more of facts.slice(1)) {
      if (decision.decision === "allow") decision = await decide(more);
    }
    return decision;
  } finally {
    await policies.close();
  }
}

async function refuseEarly(
  record: DeliverRecord,
  objective: string,
  refused: ExecRefusal,
  known: { readonly run: string; readonly destination: string },
): Promise<DeliverOutcome> {
  await record.asked(objective, known);
  await record.decided(refused, known.destination, {});
  return outcomeOf(record, { ...known, refused });
}

function outcomeOf(
  { trace }: DeliverRecord,
  known: Partial<DeliverOutcome> & Pick<DeliverOutcome, "destination">,
): DeliverOutcome {
  const { run, destination, manifest, refused, packet } = known;
  return { trace, run, destination, manifest, refused, packet };
}

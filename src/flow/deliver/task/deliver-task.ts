import { join } from "node:path";
import { messageOf } from "../../../base/index.ts";
import type { Repository } from "../../../repo/index.ts";
import type { ReviewPhase } from "../../../view/index.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import type { Place } from "../../place.ts";
import { chunksOf } from "../compare-output.ts";
import { DeliverRecord, workObjective } from "../deliver-record.ts";
import { tokenIfSet, tokenOf } from "../open-sink.ts";
import { toBranch, toRemote } from "./branch-sink.ts";
import type { DeliveredWork } from "./delivered-work.ts";
import { acceptHandedIn } from "./handed-in.ts";
import { inTurn, packetHome } from "./in-turn.ts";
import {
  isOwnBranch,
  type Sink,
  shownName,
  sinkOf,
  staysHere,
  unlistedWords,
  wrongAddress,
} from "./listed-sink.ts";
import { markSubmitted } from "./move-delivered.ts";
import { type PackedTask, packTask } from "./pack-task.ts";
import { toStore } from "./packet-sink.ts";
import { toPullRequest } from "./pull-request-sink.ts";
import { readDelivered } from "./read-delivered.ts";
import { type LeavingText, secretGate } from "./secret-gate.ts";
import type { SinkEffect } from "./task-sink.ts";

const HISTORY_BYTES_MAX = 1 << 30;

/** What somebody asked to have delivered. */
export interface TaskDelivery {
  readonly place: Place;
  readonly repository: Repository;
  /** The root of the project, with its `sworn.yaml`. */
  readonly root: string;
  /** The id of a work, or a trace. */
  readonly work: string;
  readonly to: string;
  /** Whether what leaves this machine really does. */
  readonly isSent: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  /** Between two attempts at a forge; only tests have another one. */
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined;
  /** More authorities than the system's own. */
  readonly ca?: string | undefined;
}

/** What came of it. */
export interface TaskOutcome {
  /** The record of the delivery; null where nothing was done that could be recorded. */
  readonly trace: string | null;
  readonly work: string;
  readonly sink: string;
  readonly refused: ExecRefusal | undefined;
  readonly effect: SinkEffect | undefined;
  readonly packet: PackedTask | undefined;
  /** Where the review of it stands now; undefined where nobody was asked to vote. */
  readonly review?: ReviewPhase | undefined;
  /** Why the review could not be told of the delivery, which happened all the same. */
  readonly unmoved?: string;
}

/**
 * Delivers a work to a listed sink. What is refused and what is done stands in a trace of its own; a
 * rehearsal, which is all that happens without `isSent` where something would leave the machine, leaves
 * none.
 */
export async function deliverTask(delivery: TaskDelivery): Promise<TaskOutcome> {
  const { place, work, to } = delivery;
  const sink = sinkOf(delivery);
  if (sink === undefined) {
    return refuse(delivery, shownName(to), { rule: "U.2", reason: unlistedWords(to) });
  }
  const wrong = wrongAddress(sink);
  if (wrong !== undefined) return refuse(delivery, to, wrong);
  const listed = sink.kind === "store" ? sink.open.listed : sink.listed;
  const token = (delivery.isSent ? tokenOf : tokenIfSet)(listed, delivery.env);
  const read = await readDelivered(place, work);
  if ("rule" in read) return refuse(delivery, to, read);
  const home = packetHome(place, read);
  return inTurn(home, delivery, () => packAndHandOver(delivery, sink, read, token));
}

async function packAndHandOver(
  delivery: TaskDelivery,
  sink: Sink,
  read: DeliveredWork,
  token: string | undefined,
): Promise<TaskOutcome> {
  const { place, work, to } = delivery;
  const packed = await packTask(delivery, read);
  delivery.onStep(`packed ${packed.bytes} bytes, sha256:${packed.digest.slice(0, 12)}`);
  const secret = await secretGate(
    leavingTexts(delivery, packed, read, sink),
    await namesOf(delivery, packed),
    token === undefined ? [] : [token],
  );
  if (secret !== undefined) return refuse(delivery, to, secret);
  const isSent = delivery.isSent || staysHere(sink);
  const act = () => handTo({ ...delivery, isSent }, sink, { packed, read, token });
  if (!isSent) return rehearsed(delivery, packed, await act());
  const outcome = await recorded(delivery, packed, act);
  if (outcome.effect === undefined) return outcome;
  const { where } = outcome.effect;
  if (!isOwnBranch(sink)) acceptHandedIn(place, work, delivery.onStep);
  try {
    return { ...outcome, review: await markSubmitted(place, read.consensus, `${to}: ${where}`) };
  } catch (error) {
    // It has arrived and is on record; what cannot be noted beside that does not make it fail.
    return { ...outcome, unmoved: messageOf(error) };
  }
}

async function handTo(
  delivery: TaskDelivery,
  sink: Sink,
  { packed, read, token }: { packed: PackedTask; read: DeliveredWork; token: string | undefined },
): Promise<SinkEffect | ExecRefusal> {
  const { repository, isSent, signal, onStep, pause, ca } = delivery;
  if (sink.kind === "store") {
    return toStore({ sink: sink.open, packed, token, isSent, signal, onStep, ca });
  }
  const { listed } = sink;
  const branch = `${listed.prefix}${read.report.work}`;
  if (listed.kind === "branch") return toBranch(repository, branch, read.commit, isSent);
  if (listed.kind === "git") {
    return toRemote(repository, { url: listed.url, token }, branch, read.commit, isSent);
  }
  const { report, completion } = read;
  const about = { repository, listed, packed, branch, isSent, signal, onStep, pause };
  return toPullRequest({ ...about, report, completion, token: token ?? "" });
}

function rehearsed(
  { work, to }: TaskDelivery,
  packet: PackedTask,
  found: SinkEffect | ExecRefusal,
): TaskOutcome {
  const known = { trace: null, work, sink: to, packet };
  return "rule" in found
    ? { ...known, refused: found, effect: undefined }
    : { ...known, refused: undefined, effect: found };
}

async function recorded(
  { place, work, to }: TaskDelivery,
  packet: PackedTask,
  act: () => Promise<SinkEffect | ExecRefusal>,
): Promise<TaskOutcome> {
  const record = new DeliverRecord(place);
  const { digest, head } = packet;
  const about = {
    work,
    sink: to,
    packet_sha256: digest,
    commit: head.commit,
    artifact: head.artifact,
  };
  const words = `work ${work}, commit ${head.commit}, packet sha256:${digest}`;
  const known = { trace: record.trace, work, sink: to, packet };
  try {
    const effect = await record.attempt(async () => {
      await record.asked(workObjective(work, to), about);
      await record.decided(undefined, to, { summary: { run: head.trace, words, document: about } });
      await record.began();
      return act();
    });
    if ("rule" in effect) {
      await record.failed(`${effect.rule}: ${effect.reason}`);
      return { ...known, refused: effect, effect: undefined };
    }
    const { status, where } = effect;
    const next = `"sworn deliver ${work} --to ${to}" as before finds it there, and records it`;
    await record.completed(`${words}: ${status} at ${where}`, { v: 1, ...about, ...effect }, next);
    return { ...known, refused: undefined, effect };
  } finally {
    record.close();
  }
}

async function refuse(
  { place, work }: TaskDelivery,
  to: string,
  refused: ExecRefusal,
): Promise<TaskOutcome> {
  const record = new DeliverRecord(place);
  try {
    const named = work.slice(0, 64);
    await record.asked(workObjective(named, to), { to, work: named });
    await record.decided(refused, to, {});
    const { trace } = record;
    return { trace, work, sink: to, refused, effect: undefined, packet: undefined };
  } finally {
    record.close();
  }
}

/** Every file that the change, or a commit on the way to it, leaves behind; to delete one is no reason to refuse. */
async function namesOf({ repository }: TaskDelivery, { head: { start, commit } }: PackedTask) {
  const names = new Set<string>();
  for await (const { path, status } of repository.changedFiles(start, commit)) {
    if (status !== "deleted") names.add(path);
  }
  const { paths } = repository.history(start, commit, HISTORY_BYTES_MAX);
  for await (const path of paths) names.add(path);
  return [...names];
}

/** Everything in a packet, and in the commits that a branch brings along, that holds somebody's words; signatures and keys would only look like secrets. */
function* leavingTexts(
  { place, repository }: TaskDelivery,
  { folder, head }: PackedTask,
  { entries, consensus }: DeliveredWork,
  sink: Sink,
): Generator<LeavingText> {
  yield* changeTexts(repository, folder, head, sink);
  const documents = ["plan.json", "report.json", "proofs.json"];
  if (head.members.some(({ name }) => name === "sbom.spdx.json")) documents.push("sbom.spdx.json");
  for (const name of documents) yield { name, chunks: chunksOf(join(folder, name)) };
  const history = repository.history(head.start, head.commit, HISTORY_BYTES_MAX).diff;
  yield { name: "a commit on the way to it", chunks: history };
  const seen = new Set<string>();
  for (const { artifacts } of [...entries, ...(consensus?.entries ?? [])]) {
    for (const { name, hash } of artifacts) {
      if (seen.has(hash) || !place.artifacts.has(hash)) continue;
      seen.add(hash);
      yield { name: `artifact ${name ?? hash.slice(0, 12)}`, chunks: place.artifacts.read(hash) };
    }
  }
}

/** With a branch no packet leaves, and who gets it has what it deletes from the commit before. */
function* changeTexts(
  repository: Repository,
  folder: string,
  { start, commit }: PackedTask["head"],
  sink: Sink,
): Generator<LeavingText> {
  const [name, page] = ["change.diff", "PACKET.md"];
  if (sink.kind === "store") {
    yield { name, chunks: chunksOf(join(folder, name)) };
    yield { name: page, chunks: chunksOf(join(folder, page)) };
    return;
  }
  const how = { isDeletedShown: false };
  yield { name, chunks: repository.changeDiff(start, commit, HISTORY_BYTES_MAX, how) };
}

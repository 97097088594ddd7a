import * as z from "zod";
import { parseJson, SwornError } from "../../base/index.ts";
import type { Entry, Profile } from "../../schema/index.ts";
import { Plan } from "../../schema/plan.ts";
import { TryOrder, TryProofs, TryWork } from "../../schema/work.ts";
import type { Place } from "../place.ts";
import { soundText } from "../trace/artifact-bytes.ts";
import { soundEntries } from "../trace/sound-entries.ts";
import { proposalOf } from "./plan-entries.ts";
import { artifactsOf } from "./work-record.ts";
import { freeze, type Try, WorkState } from "./work-state.ts";

const BYTES_MAX = 64 << 20;
const Start = z.strictObject({
  commit: z.string(),
  worker: z.string(),
  task: z.string().optional(),
  environment: z.string().max(1_000).optional(),
});
const PROPOSAL = /^plan(?:\.(\d{1,3}))?(?:\.part-\d+)?$/;
const WAIVED = /^waive-(st-\d{2,4})$/;

/** A work as its trace tells it. */
export interface ReadWork {
  readonly state: WorkState;
  readonly profile: Profile;
  readonly isEnded: boolean;
}

/**
 * Reads a work from its trace, which is verified first; nothing else is asked, and no file beside it.
 *
 * @throws SwornError `LEDGER_CORRUPT`; `INPUT_INVALID` when the trace is of something else.
 */
export async function readWork(place: Place, trace: string): Promise<ReadWork> {
  const { entries, isEnded } = await soundEntries(place, trace);
  const [first] = entries;
  const profile = first?.type === "session_initialized" ? first.body.profile : "strict";
  return { state: foldWork(place, trace, entries), profile, isEnded };
}

function foldWork(place: Place, trace: string, entries: readonly Entry[]): WorkState {
  let state: WorkState | undefined;
  const tries = new Map<string, Try>();
  for (const entry of entries) {
    if (entry.type === "proposal_created") state = takePlan(place, entry, state);
    else if (state !== undefined) takeEntry(place, entry, state, tries);
  }
  if (state === undefined) throw new SwornError("INPUT_INVALID", `${trace} is no work's trace`);
  return state;
}

function takePlan(
  place: Place,
  entry: Extract<Entry, { type: "proposal_created" }>,
  state: WorkState | undefined,
): WorkState | undefined {
  const number = Number(PROPOSAL.exec(entry.body.proposal_id)?.[1] ?? "1");
  const text = textIn(place, entry, proposalOf(number));
  if (text === undefined) return state;
  const frozen = freeze(Plan.parse(parseJson(text, BYTES_MAX)), number);
  if (state !== undefined) {
    state.adopt(frozen);
    return state;
  }
  return new WorkState(Start.parse(jsonIn(place, entry, "start")), frozen);
}

function takeEntry(place: Place, entry: Entry, state: WorkState, tries: Map<string, Try>): void {
  if (entry.type === "tool_intent_signed") takeIntent(place, entry, state, tries);
  else if (entry.type === "exception_recorded") {
    const id = WAIVED.exec(entry.body.exception_id)?.[1]?.toUpperCase();
    if (id !== undefined && state.has(id)) state.of(id).waivedFor = entry.body.reason;
  } else if (entry.type === "tool_execution_completed" || entry.type === "tool_execution_failed") {
    takeEnd(place, entry, tries);
  }
}

function takeIntent(
  place: Place,
  entry: Extract<Entry, { type: "tool_intent_signed" }>,
  state: WorkState,
  tries: Map<string, Try>,
): void {
  const { intent_id: execution, tool_name: tool, proposal_id: proposal } = entry.body;
  const proved = tool.startsWith("prove ") ? state.of(tool.slice("prove ".length)).last : undefined;
  if (proved !== undefined) {
    proved.proofRounds += 1;
    proved.proof = execution;
    tries.set(execution, proved);
    return;
  }
  if (!state.has(tool)) return;
  const subtask = state.of(tool);
  const order = TryOrder.parse(jsonIn(place, entry, artifactsOf(execution).order));
  // The record owed it, and this pays for it.
  if (subtask.last !== undefined) subtask.last.isOwed = false;
  const plan = Number(PROPOSAL.exec(proposal)?.[1] ?? "1");
  const one: Try = { execution, plan, order, status: "running", isOwed: false, proofRounds: 0 };
  subtask.tries.push(one);
  tries.set(execution, one);
}

function takeEnd(
  place: Place,
  entry: Extract<Entry, { type: "tool_execution_completed" | "tool_execution_failed" }>,
  tries: Map<string, Try>,
): void {
  const id = entry.body.execution_id;
  const one = tries.get(id);
  if (one === undefined) return;
  const names = artifactsOf(one.execution);
  const proofs = jsonIn(place, entry, names.proofs);
  if (proofs !== undefined) one.proofs = TryProofs.parse(proofs);
  if (id !== one.execution) return;
  const work = jsonIn(place, entry, names.work);
  if (work !== undefined) one.work = TryWork.parse(work);
  one.status = entry.type === "tool_execution_completed" ? "proven" : "failed";
  if (entry.type === "tool_execution_failed") {
    one.why = entry.body.failure;
    one.isOwed = entry.body.handling === "retry";
  }
}

function jsonIn(place: Place, entry: Entry, name: string): unknown {
  const text = textIn(place, entry, name);
  return text === undefined ? undefined : parseJson(text, BYTES_MAX);
}

function textIn(place: Place, { artifacts }: Entry, name: string): string | undefined {
  const found = artifacts.find((one) => one.name === name);
  if (found === undefined) return undefined;
  return soundText(place, found.hash);
}

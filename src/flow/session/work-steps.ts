import { existsSync } from "node:fs";
import { join } from "node:path";
import { decodeUtf8, messageOf, parseJson, readPlainFile } from "../../base/index.ts";
import type { EventRequest } from "../../schema/index.ts";
import { WorkReport } from "../../schema/work.ts";
import { verifyTrace } from "../../verify/index.ts";
import { agentFor } from "../agent/role-agents.ts";
import { json } from "../exec/exec-record.ts";
import { judgePlan } from "../plan/judge-plan.ts";
import { cut } from "../record/entry-text.ts";
import { localSource } from "../trace/local-source.ts";
import { openForReading } from "../trace/reading.ts";
import { issueWords } from "../words/issue-words.ts";
import { doWork, goOnWithWork } from "../work/do-work.ts";
import { gateWord } from "../work/gate-plan.ts";
import { workFolder, workOf } from "../work/work.ts";
import { freeze } from "../work/work-state.ts";
import { readConfig } from "../workflow-config.ts";
import { inRound, VERIFY } from "./next-step.ts";
import { type OpenSession, type Waits, WorkLink } from "./open-session.ts";
import { PROVER, WORKER } from "./seats.ts";
import { NAME_JUDGE } from "./waits-for.ts";

const REPORT_BYTES_MAX = 64 << 20;
type Subtask = WorkReport["subtasks"][number];

/** Has the plan worked on, or goes on with it, and writes down what came of each subtask. */
export async function workStep(on: OpenSession): Promise<Waits | undefined> {
  const report = await worked(on);
  if ("waits" in report) return report;
  if (report.status === "open") {
    return { waits: [report.reason ?? "it was called off; sworn resume goes on with it"] };
  }
  if (report.status === "blocked") {
    const asked = report.questions.map(({ id, question }) => `${id}: ${question}`);
    return { waits: [...asked, "answer, then sworn resume"] };
  }
  const requests = report.subtasks.map((one, at) =>
    finishing(on, one, at === 0 ? report : undefined),
  );
  await on.record.record(requests);
  on.say("work", `${report.status}: work ${report.work}`);
  return undefined;
}

async function worked(on: OpenSession): Promise<WorkReport | Waits> {
  const { work, trace } = on.workLink;
  const { runner, signal, onEvent } = on.scene;
  const earlier = earlierOf(on);
  const told = { signal, onEvent, feedback: on.feedback, earlier, isPlanFixed: true };
  const known = workOf(on.place, work);
  if (known === undefined) {
    const { plan, begin } = on;
    const word = gateWord(judgePlan(Buffer.from(freeze(plan, 1).text)), begin.profile);
    if (word.kind !== "open") return { waits: ["the gate does not let the plan through any more"] };
    const { start, profile, seats } = begin;
    const unjudged = unjudgedIn(on);
    if (unjudged !== undefined) return { waits: [unjudged] };
    const options = { agent: seats.worker, profile, ...told, start, trace };
    return (await doWork(runner, word.gated, options)).report;
  }
  if (!known.isEnded) return (await goOnWithWork(runner, work, told)).report;
  return readReport(on, work);
}

/**
 * What only a judge can say where nobody is named as one: a criterion of the plan, or a condition that
 * the critic added. Nothing was begun yet, so that naming one is enough.
 */
function unjudgedIn({ plan, begin, scene }: OpenSession): string | undefined {
  const config = readConfig(scene.runner.scene.repository.root);
  if (agentFor("judge", config, begin.seats.worker) !== undefined) return undefined;
  const asked = plan.subtasks.flatMap(({ id, proofs }) =>
    proofs.flatMap((proof) => (proof.kind === "judge" ? [`${id}: ${proof.criterion}`] : [])),
  );
  if (asked.length === 0) return undefined;
  return `nobody is named to judge ${asked.join("; ")}: ${NAME_JUDGE}`;
}

/** The work of the last round, with what was said against it; undefined in the first. */
function earlierOf({ round, record, plan, feedback: reasons }: OpenSession) {
  if (round === 0) return undefined;
  const { trace } = WorkLink.parse(record.json(inRound("work", round - 1)));
  const { claims } = record.session;
  const struck = plan.subtasks
    .map(({ id }) => id)
    .filter((id) => {
      const claim = inRound(id.toLowerCase(), round - 1);
      return [claim, `${claim}.narrowed`].some((name) => claims.get(name)?.status === "struck");
    });
  return { trace, reasons, struck };
}

function readReport({ place, id }: OpenSession, work: string): WorkReport | Waits {
  const path = join(workFolder(place, work), "report.json");
  const waits = (what: string): Waits => ({
    waits: [
      `the report of the work ${what}`,
      `put the file back as it was, then sworn resume; or sworn cancel ${id} ends it, and all that was done stays on record`,
    ],
  });
  // Killed between the work's last entry and its report: what it came to stands in its trace alone.
  if (!existsSync(path)) return waits(`is missing: ${path}`);
  try {
    const text = decodeUtf8(readPlainFile(path, REPORT_BYTES_MAX, "refuse"));
    const input = parseJson(text, REPORT_BYTES_MAX);
    const parsed = WorkReport.safeParse(input);
    if (parsed.success) return parsed.data;
    const wrong = issueWords(parsed.error.issues, { shape: WorkReport, input });
    return waits(`cannot be read: ${path}: ${wrong}`);
  } catch (error) {
    // A file that is none, or no JSON: as good as missing.
    return waits(`cannot be read: ${path}: ${messageOf(error)}`);
  }
}

function finishing(
  on: OpenSession,
  subtask: Subtask,
  report: WorkReport | undefined,
): EventRequest {
  const { round } = on;
  const name = inRound(subtask.id.toLowerCase(), round);
  const result = { round, work: on.workLink, subtask };
  const artifacts = [
    json(inRound(`result.${subtask.id.toLowerCase()}`, round), result),
    ...(report === undefined ? [] : [json(inRound("work-report", round), report)]),
  ];
  if (subtask.status === "proven") {
    const proofs = subtask.tries.at(-1)?.proofs.length ?? 0;
    const body = {
      execution_id: name,
      exit_status: 0,
      summary: `${proofs} of ${proofs} proofs pass`,
    };
    return { actor: WORKER, type: "tool_execution_completed", body, artifacts };
  }
  const failure = cut(`${subtask.status}: ${subtask.unproven.join("; ") || "no reason was given"}`);
  const body = { execution_id: name, failure, handling: "accept" as const };
  return { actor: WORKER, type: "tool_execution_failed", body, artifacts };
}

/** The offline verifier reads the whole record of the work; nobody who worked has a say in that. */
export async function verifyStep(on: OpenSession): Promise<undefined> {
  const { round, place, rules } = on;
  const { trace } = on.workLink;
  const ledger = openForReading(place, trace);
  try {
    const options = { profile: rules.verifier, mode: "full", threads: 0 } as const;
    const report = await verifyTrace(localSource(place, ledger), options);
    const name = inRound(VERIFY, round);
    const isSound = report.status !== "fail";
    const summary = `the record of the work: ${report.status}`;
    const artifacts = [json(inRound("verification", round), report)];
    on.say("verify", summary);
    await on.record.record([
      {
        actor: PROVER,
        type: "tool_execution_started",
        body: { execution_id: name, intent_id: name },
      },
      {
        actor: PROVER,
        type: "tool_execution_completed",
        body: { execution_id: name, exit_status: isSound ? 0 : 4, summary },
        artifacts,
      },
    ]);
    return undefined;
  } finally {
    ledger.close();
  }
}

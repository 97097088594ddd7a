import { assert, SwornError } from "../../base/index.ts";
import type { GateReport } from "../../plan/index.ts";
import { findSecrets } from "../../scan/secret/index.ts";
import type { Profile } from "../../schema/index.ts";
import { chooseAgent } from "../agent/choose-agent.ts";
import { assertNamed } from "../agent/role-agents.ts";
import { assertApart } from "../agent/same-agent.ts";
import { assertSink } from "../deliver/task/listed-sink.ts";
import { json } from "../exec/exec-record.ts";
import { judgePlan } from "../plan/judge-plan.ts";
import { readableRequest, taskNameOf } from "../plan/planner/plan-request.ts";
import { cut } from "../record/entry-text.ts";
import { freshTrace } from "../record/recorder.ts";
import { assertQuorum } from "../vote/assert-quorum.ts";
import { gateWord } from "../work/gate-plan.ts";
import { startCommit } from "../work/start-commit.ts";
import { workIdOf } from "../work/work-scene.ts";
import { readConfig } from "../workflow-config.ts";
import { Begin, type SessionScene } from "./open-session.ts";
import { leadSession, prepareFolder, type SessionOutcome } from "./run-session.ts";
import { fillSeats, LEAD, nobodyPlans, seatsOf, sittingsOf, votersOf } from "./seats.ts";
import { SessionRecord } from "./session-record.ts";

/** How often another plan is asked for after the critic rejected one, where nobody says otherwise. */
const REPLANS = 2;

/** What somebody asks to have done. */
export interface SessionRequest {
  /** In words; from the plan where that is given instead. */
  readonly request?: string | undefined;
  /** A plan that is there already. */
  readonly plan?: Uint8Array | undefined;
  readonly agent?: string | undefined;
  readonly at: string;
  readonly profile: Profile;
  readonly to: string;
  readonly isSent: boolean;
}

/**
 * Begins a session: from a sentence, or from a plan, to something that was agreed on and delivered.
 *
 * @returns the gate's report where a given plan may not begin
 */
export async function startSession(
  asked: SessionRequest,
  scene: SessionScene,
): Promise<SessionOutcome | { readonly refused: GateReport }> {
  const report = asked.plan === undefined ? undefined : judgePlan(asked.plan);
  if (report !== undefined && gateWord(report, asked.profile).kind !== "open") {
    return { refused: report };
  }
  const request = asked.request ?? report?.plan?.original_request;
  if (request === undefined || request.trim() === "") {
    throw new SwornError("INPUT_INVALID", "expected what is to be done, in words, or --plan");
  }
  if (report === undefined) readableRequest(request);
  assertNoSecret(asked.plan === undefined ? request : Buffer.from(asked.plan).toString("utf8"));
  const { place, repository, env, home } = scene.runner.scene;
  const { to, isSent } = asked;
  assertSink({ place, root: repository.root, to, env, home, isSent });
  const { roles = {}, session = {} } = readConfig(repository.root);
  const seats = fillSeats(roles, { worker: asked.agent, profile: asked.profile });
  if (report === undefined && seats.planner === null) throw nobodyPlans();
  await chooseAgent(seats.worker, { root: repository.root, env, home });
  assertNamed(roles, repository.root);
  assertApart(sittingsOf(seats, repository.root), asked.profile);
  assertQuorum(asked.profile, votersOf(seats));
  const begin = Begin.parse({
    ...{ request, profile: asked.profile, task: taskNameOf(request) },
    start: await startCommit(repository, asked.at),
    is_planned: report !== undefined,
    ...{ to: asked.to, is_sent: asked.isSent, seats },
    replans_max: session.replans ?? REPLANS,
  });
  const trace = freshTrace(place);
  const id = workIdOf(trace);
  prepareFolder(place, id);
  const record = SessionRecord.start(place, trace);
  try {
    await open(record, begin, asked.plan);
    scene.onEvent({ about: "session", words: `is called ${id}` });
    return await leadSession(id, scene, record);
  } finally {
    record.close();
  }
}

/** It is told to agents and recorded, and with the record nothing could be delivered when all is done. */
function assertNoSecret(text: string): void {
  const [found] = findSecrets(text);
  if (found === undefined) return;
  const what = `what is asked for holds what looks like a secret (${found.rule})`;
  throw new SwornError("INPUT_INVALID", `${what}; take it out, and change it where it counts`);
}

async function open(record: SessionRecord, begin: Begin, plan: Uint8Array | undefined) {
  const { request, profile, seats } = begin;
  const refusal = await record.ask([
    {
      actor: LEAD,
      type: "session_initialized",
      body: {
        task: "session",
        objective: cut(request),
        profile,
        agents: seatsOf(seats).map(({ agent, role }) => ({ agent, roles: [role] })),
      },
      artifacts: [
        json("begin", begin),
        ...(plan === undefined
          ? []
          : [
              {
                name: "given",
                text: Buffer.from(plan).toString("utf8"),
                media_type: "application/json",
              },
            ]),
      ],
    },
  ]);
  assert(refusal === undefined, `the protocol refuses: ${refusal?.reason}`);
}

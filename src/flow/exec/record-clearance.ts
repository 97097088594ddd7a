import { SwornError } from "../../base/index.ts";
import type { EventRequest, RequestedArtifact } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";

/** What a reviewer said about the output of a run. */
export interface Clearance {
  readonly run: string;
  readonly requester: string;
  readonly reviewer: string;
  readonly isCleared: boolean;
  readonly why: string;
  /** The manifest that lists the files, hash by hash: what the word is about. */
  readonly manifest: RequestedArtifact;
}

const BYSTANDERS = [
  { agent: "sandbox", roles: ["executor" as const] },
  { agent: "auditor", roles: ["auditor" as const] },
];

/**
 * Records a reviewer's word in a session of its own. The run's session enrolled its agents before
 * anybody knew who would look, so the reviewer's key has no place in it; here it has.
 *
 * @throws SwornError `INPUT_INVALID` when the reviewer is not somebody else.
 */
export async function recordClearance(place: Place, clearance: Clearance): Promise<string> {
  const { run, reviewer, requester } = clearance;
  const recorder = Recorder.start(place);
  try {
    const { refusal } = await recorder.record(scriptOf(clearance), { artifactRoots: [] });
    if (refusal === undefined) return recorder.id;
    throw new SwornError(
      "INPUT_INVALID",
      `${reviewer} cannot review what ${requester} had made in ${run}: ${refusal.reason}`,
    );
  } finally {
    recorder.close();
  }
}

function scriptOf(clearance: Clearance): EventRequest[] {
  const { run, requester, reviewer, isCleared, why, manifest } = clearance;
  return [
    {
      actor: { agent: requester, role: "planner" },
      type: "session_initialized",
      body: {
        task: "clearance",
        objective: `Whether the flagged output of ${run} may go out as it is`,
        profile: "solo",
        agents: [
          { agent: requester, roles: ["planner", "operator"] },
          { agent: reviewer, roles: ["critic"] },
          ...BYSTANDERS,
        ],
      },
    },
    {
      actor: { agent: reviewer, role: "critic" },
      type: "decision_recorded",
      body: {
        decision_id: "clearance",
        context: `The flagged output of ${run}, by its manifest: ${why}`,
        options: ["cleared", "refused"],
        choice: isCleared ? "cleared" : "refused",
        evidence: [manifest.name ?? ""],
      },
      artifacts: [manifest],
    },
    {
      actor: { agent: requester, role: "operator" },
      type: "session_aborted",
      body: { reason: "The reviewer has spoken; nothing is left to be done here." },
    },
  ];
}

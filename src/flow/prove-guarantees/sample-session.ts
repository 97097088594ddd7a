import type { EventRequest } from "../../schema/index.ts";

/** What the operator says; attempts look for it in what was recorded. */
export const SAID = "Please keep the public API of login() as it is.";
export const EVIDENCE = "login: 7 tests, 7 passed";

export function message(text: string): EventRequest {
  return { actor: { agent: "mara", role: "operator" }, type: "message_posted", body: { text } };
}

/** A session in which the critic has rejected what the planner proposed. */
export const SAMPLE_SESSION: readonly EventRequest[] = [
  {
    actor: { agent: "ada", role: "planner" },
    type: "session_initialized",
    body: {
      task: "limit-logins",
      objective: "Refuse a sixth login attempt within a minute",
      profile: "solo",
      agents: [
        { agent: "ada", roles: ["planner"] },
        { agent: "eli", roles: ["executor"] },
        { agent: "cleo", roles: ["critic"] },
        { agent: "otto", roles: ["auditor"] },
        { agent: "mara", roles: ["operator"] },
      ],
    },
  },
  {
    ...message(SAID),
    artifacts: [{ name: "test-output", text: `${EVIDENCE}\n` }],
  },
  {
    actor: { agent: "ada", role: "planner" },
    type: "proposal_created",
    body: {
      proposal_id: "p1",
      units: [
        {
          objective: "Drop the sessions table and rebuild it with a counter",
          assumptions: ["nobody is logged in"],
          required_tools: ["psql"],
          expected_evidence: ["schema after the change"],
        },
      ],
    },
  },
  {
    actor: { agent: "cleo", role: "critic" },
    type: "proposal_reviewed",
    body: {
      proposal_id: "p1",
      proposal_status: "rejected",
      risk_assessment: "Loses every open session",
      rationale: "A counter does not need the table to be dropped.",
    },
  },
];

import type { Command } from "./command.ts";

/** The command that makes a plan. It stands behind those that begin with the same word. */
export const PLANNER_COMMANDS: readonly Command[] = [
  {
    path: ["plan"],
    summary: "make a plan of a task, phase by phase, with an agent or from your own answers",
    example: "sworn plan 'Limit the report to 20 lines' --agent claude --out plan.json",
    positionals: [{ name: "request", about: "what is wanted, in words", optional: true }],
    options: {
      agent: { type: "string" },
      task: { type: "string" },
      out: { type: "string" },
      "no-design": { type: "string" },
      from: { type: "string" },
      force: { type: "boolean" },
    },
    notes: {
      agent: "who plans (roles: { planner: … } in sworn.yaml)",
      task: "what the task is called (a name made from the request)",
      out: "write the plan to this file too",
      "no-design": "say that no design comes before this plan, and why",
      from: 'without an agent: answers in YAML or JSON; what is missing is asked; "-" asks for all',
      force: "overwrite a file that is no plan",
    },
    more: [
      "The agent is asked for one phase at a time, each in a run of its own with its own budget of tool uses: fact",
      "check, ambiguity sweep, three engineers, graph and collision checks, hostile questions with blind answers. What",
      "breaks its form or the gate goes back, three times at most. All of it is recorded; called again, it goes on",
      "where it stopped. Open questions end up on the task's board: answer them, and plan again.",
    ],
    exits: {
      0: "the plan is ready",
      2: "wrong usage, no agent, or nothing usable after three tries",
      3: "the plan waits for answers, or has fewer than 90 points",
    },
    isBrief: true,
    load: () => import("./commands/plan.ts"),
  },
];

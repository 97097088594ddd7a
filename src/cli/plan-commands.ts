import type { Command } from "./command.ts";

const plan = { name: "plan", about: 'a plan file in either form, or "-" for standard input' };
const profile = { type: "string" } as const;
const profileNote =
  "solo or team: an open question holds what it names; strict: it holds everything (solo)";

/** The commands about plans, none of which needs a model. */
export const PLAN_COMMANDS: readonly Command[] = [
  {
    path: ["plan", "check"],
    summary: "judge a plan: every check definite, every deduction counted, every question asked",
    example: "sworn plan check examples/plan-verimap.json",
    positionals: [plan],
    options: {
      profile,
      task: { type: "string" },
      project: { type: "boolean" },
      deadline: { type: "string" },
    },
    notes: {
      profile: profileNote,
      task: "the task that it is for: its board counts, and what is found is written there",
      project: "the same with the project's board",
      deadline: "when the defaults of its questions are taken: 30m, 2h, or a moment in UTC (24h)",
    },
    more: [
      "It takes the planners' form (VeriMAP) and our own, which has typed proofs. Nothing in a plan is",
      "believed that can be counted: see docs/formats/plan.md for every rule. With --task its questions are",
      'asked on the bus of the task; "sworn answer BQ-01 … --task" answers one and judges the plan again.',
    ],
    exits: {
      0: "the plan is ready",
      2: "wrong usage, or the plan breaks a rule",
      3: "the plan waits for answers, or has fewer than 90 points; or it could not be recorded",
      4: "the record of the task cannot be read or continued",
    },
    isBrief: true,
    load: () => import("./commands/plan-check.ts"),
  },
  {
    path: ["plan", "explain"],
    summary: "draw a plan: what waits for what, the longest chain, what may start now",
    example: "sworn plan explain examples/plan-verimap.json --svg plan.svg",
    positionals: [plan],
    options: {
      profile,
      svg: { type: "string" },
      mermaid: { type: "boolean" },
      force: { type: "boolean" },
    },
    notes: {
      profile: profileNote,
      svg: "write it as a picture to this file",
      mermaid: "print it as a Mermaid flowchart",
      force: "overwrite a file that is not such a picture",
    },
    exits: {
      1: "the picture cannot be written",
      2: "wrong usage, or the file has not the shape of a plan",
      3: "something else is in the picture's place",
    },
    isBrief: true,
    load: () => import("./commands/plan-explain.ts"),
  },
];

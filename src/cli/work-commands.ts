import type { Command } from "./command.ts";

/** The commands that have plans worked on. */
export const WORK_COMMANDS: readonly Command[] = [
  {
    path: ["work"],
    summary: "have agents do a plan's subtasks, prove each, and put them together on a branch",
    example: "sworn work plan.json --agent coder",
    positionals: [{ name: "plan", about: "a plan file, in either form" }],
    options: {
      agent: { type: "string" },
      at: { type: "string" },
      parallel: { type: "string" },
      profile: { type: "string" },
      task: { type: "string" },
      waive: { type: "string", multiple: true },
    },
    notes: {
      agent: "who does the subtasks (roles.worker of sworn.yaml)",
      at: "the commit that work begins with (HEAD)",
      parallel: "how many subtasks are worked on at the same time",
      profile: "solo, team or strict (solo): how much stops the work instead of being reported",
      task: "judge the plan with what this task's board knows, and ask its questions there",
      waive: "let a subtask through if it cannot be proven: ST-02=why; recorded as an exception",
    },
    more: [
      "The gate judges the plan first; with --task, sworn answer settles its questions and sworn resume goes on.",
      "Each subtask is done in a tree of its own, from the commit that has what it",
      "stands on; then the runtime makes its proofs. What fails goes back to the worker with the proof's output, twice",
      "unless sworn.yaml says otherwise. What is proven is put together on the branch sworn/work/<id>; your own branch",
      "and files stay as they are. Then all proofs are made again, and three gates decide: what the authors say against",
      "their own work, a reviewer who sees the change and the criteria alone, and all tests with no untagged debt.",
      "In sworn.yaml:",
      "  roles: { worker: coder, reviewer: critic, judge: critic }",
      "  work: { tests: [npm, test], parallel: 2, retries: 2 }",
      "The report is .sworn/work/<id>/report.md. After Ctrl-C, sworn cancel or a crash, sworn resume goes on.",
    ],
    exits: {
      0: "every subtask is done and the branch is there, perhaps with gaps that are named",
      1: "the machine failed, or it was called off; sworn resume goes on",
      2: "wrong usage, or the plan breaks rules of the gate",
      3: "a question is open, a subtask or an exit gate failed; the report says which and why",
    },
    load: () => import("./commands/work.ts"),
  },
];

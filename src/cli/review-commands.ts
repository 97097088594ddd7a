import type { ParseArgsConfig } from "node:util";
import type { Command } from "./command.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

const reviewOptions: Options = {
  with: { type: "string", multiple: true },
  "fail-on": { type: "string" },
  sarif: { type: "boolean" },
  annotations: { type: "boolean" },
  baseline: { type: "boolean" },
};
const reviewNotes = {
  with: "a report by another agent that takes part; may be given more than once",
  "fail-on": "p1, p2, p3 or never: which supported findings make it exit with 3 (p1)",
  sarif: "print SARIF instead of words",
  annotations: "print GitHub workflow commands instead of words, which show findings in the diff",
  baseline: "take everything it finds as known: from now on only what is new is raised",
};

const reviewExits = {
  0: "nothing at or above --fail-on is supported by more than a quotation",
  1: "a reviewer failed, source could not be read, or the review was stopped",
  2: "wrong usage, or there is nothing that can be reviewed",
  3: "a supported finding at or above --fail-on",
};

/** The commands that hold what reviewers say against the source. */
export const REVIEW_COMMANDS: readonly Command[] = [
  {
    path: ["review"],
    summary: "review a change: every finding must quote the source, nothing made-up reaches you",
    example: "sworn review main..HEAD --with agent-report.md",
    positionals: [
      {
        name: "range",
        about: "A..B, A...B, or a commit; by default the current one",
        optional: true,
      },
    ],
    options: { staged: { type: "boolean" }, pr: { type: "string" }, ...reviewOptions },
    notes: {
      staged: "what is staged, against HEAD",
      pr: "the head of a pull request that was fetched before",
      ...reviewNotes,
    },
    exits: reviewExits,
    isBrief: true,
    load: () => import("./commands/review.ts"),
  },
  {
    path: ["audit"],
    summary: "review a whole tree",
    example: "sworn audit src",
    positionals: [{ name: "path", about: "a folder or file in the repository", optional: true }],
    options: { at: { type: "string" }, ...reviewOptions },
    notes: { at: "the commit to look at (HEAD)", ...reviewNotes },
    exits: reviewExits,
    load: () => import("./commands/audit.ts"),
  },
  {
    path: ["check"],
    summary: "check the findings in any agent's report against the source",
    example: "sworn check report.md --at HEAD",
    positionals: [
      {
        name: "reports",
        about: 'Markdown, findings JSON, SARIF or rdjson files; "-" is standard input',
        many: true,
      },
    ],
    options: { at: { type: "string" }, repo: { type: "string" }, sarif: { type: "boolean" } },
    notes: {
      at: "the commit the report is about (HEAD)",
      repo: "a folder in the repository (this one)",
      sarif: "print SARIF with what the source bears out, instead of words",
    },
    exits: {
      0: "every finding is confirmed or only misplaced",
      1: "the machine failed, or it was stopped",
      2: "wrong usage, a report cannot be read, or nothing in it is recognised",
      4: "a finding is made up or could not be checked, or it says that something was run or changed, which nobody saw",
    },
    isBrief: true,
    load: () => import("./commands/check.ts"),
  },
  {
    path: ["dismiss"],
    summary: "say why findings need no change; they are not raised again",
    example: 'sworn dismiss SEC-001 --why "the input is a constant of ours"',
    positionals: [
      {
        name: "findings",
        about: "their ids in the latest review, or identities; without any, lists the dismissed",
        optional: true,
        many: true,
      },
    ],
    options: { why: { type: "string" }, from: { type: "string" }, undo: { type: "boolean" } },
    notes: {
      why: "the reason, which is kept with them",
      from: "the review that reported them (the latest)",
      undo: "take dismissals back",
    },
    more: [
      "A finding is remembered by its file, the source it quotes and its category, not by its line: a rebase",
      "does not bring it back, a change of the quoted source does. Your key signs it, so that an agent that",
      "writes into the project cannot dismiss what was found in its work.",
    ],
    exits: {
      1: "it could not be written down",
      2: "wrong usage, or there is no such finding or review",
      3: "your key cannot be used",
      4: "what was said so far, or the review, cannot be read",
    },
    load: () => import("./commands/dismiss.ts"),
  },
  {
    path: ["contract"],
    summary: "write down what a team of agents owes, with a prompt for each of them",
    example: "sworn contract review --range main..HEAD",
    positionals: [
      { name: "workflow", about: "review, audit, plan, work, or one that sworn.yaml declares" },
    ],
    options: {
      out: { type: "string", short: "o" },
      files: { type: "string", multiple: true },
      range: { type: "string" },
      task: { type: "string" },
      overlap: { type: "boolean" },
    },
    notes: {
      out: "the folder for the contract and the team's files, inside the repository",
      files: "a glob of files to give out; may be given more than once (the changed ones)",
      range: "the change whose files are given out: A..B, A...B, or a commit (the current one)",
      task: "what the team is to do, in words",
      overlap: "let several agents have the same file",
    },
    more: [
      "It writes inscription.json, state.json and prompts/<name>.md. Hand each prompt to an agent of your choice;",
      'when they are done, "sworn validate <out>/inscription.json" judges what they wrote.',
    ],
    exits: {
      1: "the files cannot be written",
      2: "wrong usage, no such workflow, or no file to give out",
      3: "the folder holds a contract already, or is not for a team to write in",
    },
    load: () => import("./commands/contract.ts"),
  },
  {
    path: ["validate"],
    summary: "judge what a team of agents delivered under its contract: complete, true, or made up",
    example: "sworn validate tmp/reviews/142/inscription.json --at HEAD",
    positionals: [{ name: "contract", about: "the path of an inscription.json" }],
    options: {
      at: { type: "string" },
      repo: { type: "string" },
      wait: { type: "boolean" },
      sarif: { type: "boolean" },
    },
    notes: {
      at: "the commit the findings are about (HEAD)",
      repo: "a folder in the repository (this one)",
      wait: "look three times, 60 seconds apart, while no file is there",
      sarif: "print SARIF instead of words",
    },
    exits: {
      0: "all complete and nothing made up",
      1: "no file is there at all, or the outcome cannot be written",
      2: "wrong usage, or the contract cannot be read",
      3: "something is missing or could not be checked",
      4: "something was made up, injected, or changed in the contract",
    },
    load: () => import("./commands/validate.ts"),
  },
];

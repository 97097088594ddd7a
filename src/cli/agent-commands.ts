import type { Command } from "./command.ts";

const agent = { name: "agent", about: "one that sworn.yaml lists, or a known one such as codex" };

/** The commands that have agents work. */
export const AGENT_COMMANDS: readonly Command[] = [
  {
    path: ["agents", "ls"],
    aliases: [["agents", "list"]],
    summary: "list the agents that can be asked to work here, and what each of them lacks",
    example: "sworn agents ls",
    options: { all: { type: "boolean" } },
    notes: { all: "also the known ones that are not installed" },
    exits: { 2: "wrong usage, or sworn.yaml is wrong" },
    isBrief: true,
    load: () => import("./commands/agents-ls.ts"),
  },
  {
    path: ["agents", "try"],
    summary: "let an agent do one tiny task in a repository of its own, and look at what it did",
    example: "sworn agents try codex",
    positionals: [agent],
    exits: {
      0: "it did what it was asked to, and nothing else",
      1: "the machine failed, or it was called off",
      2: "wrong usage, or the agent is not here",
      3: "it did not do it, or a policy refuses it",
    },
    isBrief: true,
    load: () => import("./commands/agents-try.ts"),
  },
  {
    path: ["agents", "run"],
    summary: "run an agent on this project, sealed off and watched, and check what it says",
    example: "sworn agents run codex 'Fix the failing test in src/parse.ts'",
    positionals: [
      agent,
      { name: "prompt", about: "what it is to do; for builtin, a range", optional: true },
    ],
    options: {
      "prompt-file": { type: "string" },
      task: { type: "string" },
      at: { type: "string" },
      rounds: { type: "string" },
      question: { type: "boolean" },
      role: { type: "string" },
    },
    notes: {
      "prompt-file": "a file with what it is to do",
      task: "what the task is called: its runs lie under this name (a name for this run alone)",
      at: "the commit that it begins with (HEAD)",
      rounds: "start it again until it says that it is done, at most so often (1)",
      question:
        "a question about the project: it is given what is recorded, and its answer is checked",
      role: "critic or auditor: it judges others' work, and can vote; executor works (roles in sworn.yaml)",
    },
    more: [
      "It works in a tree of its own, made from a commit; your files stay as they are. What it leaves ends on the",
      "reference refs/sworn/runs/<run>, however it ends: look at it with git diff HEAD refs/sworn/runs/<run>.",
      "What it prints and says is in .sworn/tasks/<task>/runs/<run>.",
      "In sworn.yaml, an agent is a program, or a known command-line agent with its model:",
      "  agents:",
      "    coder: { driver: cli, preset: goose, model: anthropic/claude-sonnet-4-5 }",
      "    fixer: { driver: command, argv: [my-fixer, '{prompt_file}'], limits: { seconds: 300 } }",
    ],
    exits: {
      0: "it ended well, and nothing that it says was refuted",
      1: "it failed, was ended, or has not said in all its --rounds that it is done; its work is kept",
      2: "wrong usage, or the agent is not here",
      3: "refused: the rule is named, and nothing was started",
      4: "it ended well, but something that it says is made up; a place or a count that is off is none",
    },
    isBrief: true,
    load: () => import("./commands/agents-run.ts"),
  },
  {
    path: ["agents", "runs"],
    summary: "list the runs of agents on this project",
    example: "sworn agents runs --task fix-parser",
    options: { task: { type: "string" }, all: { type: "boolean" } },
    notes: { task: "only the runs of this task", all: "all of them; else the 20 newest" },
    exits: { 2: "wrong usage" },
    load: () => import("./commands/agents-runs.ts"),
  },
  {
    path: ["agents", "show"],
    summary: "show a run again: how it ended, what it said and what was found about that",
    example: "sworn agents show latest",
    positionals: [{ name: "run", about: 'a run\'s id, its beginning, or "latest"' }],
    exits: { 2: "wrong usage, or there is no such run" },
    load: () => import("./commands/agents-show.ts"),
  },
  {
    path: ["agents", "take"],
    summary: "stage what a run changed in your own work tree: these files, and no others",
    example: "sworn agents take latest --only 'src/**'",
    positionals: [{ name: "run", about: 'a run\'s id, its beginning, or "latest"' }],
    options: { only: { type: "string", multiple: true } },
    notes: {
      only: "refuse it when the run touched anything else (a glob); may be given more than once",
    },
    exits: {
      0: "its files are staged",
      2: "wrong usage, no such run, or it touched what it should not",
      3: "a file has changed since, you have changes of your own in it, or its task is locked; nothing was touched",
    },
    load: () => import("./commands/agents-take.ts"),
  },
  {
    path: ["cancel"],
    summary: "end a run, all runs of a task, a work, or a session; what was done is kept",
    example: "sworn cancel fix-parser",
    positionals: [
      {
        name: "run",
        about: "a run's id, the name of a task, or the id of a work or a session; or its beginning",
      },
    ],
    more: [
      "A work can be gone on with: sworn resume. A session (sworn run) ends for good; its record stays, and so does",
      "what is done. One whose delivery was refused ends with its work kept here.",
    ],
    exits: { 0: "they were asked to end", 2: "wrong usage, or nothing of that name is running" },
    load: () => import("./commands/cancel.ts"),
  },
  {
    path: ["resume"],
    summary:
      "save what runs left whose runtime was killed, and go on with them, works and sessions",
    example: "sworn resume",
    options: {
      save: { type: "boolean" },
      rounds: { type: "string" },
      waive: { type: "string", multiple: true },
    },
    notes: {
      waive:
        "let a subtask of the work that goes on through if it cannot be proven: ST-02=why; recorded as an exception",
      save: "only bring them to their end: save their work, close their records",
      rounds: "start each again until it says that it is done, at most so often (1)",
    },
    more: [
      "Runs come first, then plannings, then sessions (sworn run) and works (sworn work). What was finished is not done",
      "again. A session that waited for a vote, a decision or a seat looks whether it is there now.",
    ],
    exits: {
      0: "nothing was left, or all of it went on and ended well",
      1: "a run failed, or could not be saved; it says where its work is",
      3: "refused: the rule is named",
      4: "a run ended well, but something that it says is made up",
    },
    isBrief: true,
    load: () => import("./commands/resume.ts"),
  },
  {
    path: ["extract"],
    summary: "take whole files out of an answer in prose; refuse what is partial or leads out",
    example: "sworn extract answer.md --out result",
    positionals: [{ name: "response", about: 'a Markdown file, or "-" for standard input' }],
    options: { out: { type: "string", short: "o" } },
    notes: { out: "a folder to write the files to; without it they are only listed" },
    more: [
      "A name stands in backticks right before its block, in the info string, in a first-line comment (which is not",
      "part of the file then), in a --- name --- line, or in a heredoc. Files that are fine are written even when others",
      "are refused. A plain file in a file's place is replaced; links are never followed.",
    ],
    exits: {
      2: "wrong usage, or the response is no text",
      3: "something was refused: it says what and why",
    },
    isBrief: true,
    load: () => import("./commands/extract.ts"),
  },
];

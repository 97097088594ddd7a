import type { Command } from "./command.ts";

/** The commands that run something. */
export const EXECUTION_COMMANDS: readonly Command[] = [
  {
    path: ["exec"],
    summary: "run one command with no network, admitted by policy, with a signed manifest",
    example: "sworn exec --out result -- make test",
    positionals: [
      { name: "command", about: "the program and its arguments", many: true, optional: true },
    ],
    passesRest: true,
    options: {
      env: { type: "string" },
      task: { type: "string" },
      context: { type: "string" },
      "dry-run": { type: "boolean" },
      engine: { type: "string" },
      pull: { type: "string", multiple: true },
      pinned: { type: "boolean" },
      install: { type: "boolean" },
      out: { type: "string", short: "o" },
      report: { type: "string" },
      reproduce: { type: "string" },
      seed: { type: "string" },
      timeout: { type: "string" },
      memory: { type: "string" },
      spend: { type: "string" },
    },
    notes: {
      env: "host (this machine's own programs), an environment that was built, or a digest (host)",
      task: "what the task is called: exceptions are for tasks by name (a name for this run alone)",
      context:
        "a file with the task's context as JSON: its task_id is the name, and --env is detected from it",
      "dry-run": "print the plan and what the policies say to it, and start nothing",
      engine: "bwrap or docker (bwrap)",
      pull: "npm, pip, cargo, go or apt: registries of your own configuration, for reading; may be given more than once",
      pinned: "pull nothing but what the commit's package-lock.json pins",
      install:
        "first install what the commit's package-lock.json pins (npm ci), in a copy of the input; then run the command there, with no way out",
      out: "a new folder for what the command leaves in /workspace/output",
      report: "a file for the outcome as JSON",
      reproduce: "a recorded run to run again, from the same commit: every hash is compared",
      seed: "the value of CHORUS_SEED (0)",
      timeout: "seconds after which it is ended (900)",
      memory: "the most memory, in MiB (2048)",
      spend: "what it may cost, such as 1.25; a ceiling in sworn.yaml must allow it (0)",
    },
    more: [
      "The command starts in a copy of the current commit's files, which are also in /workspace/input, read-only. What",
      "it leaves in /workspace/output is kept; nothing else of this machine is there but its programs. What it prints is",
      "passed on; with --json it goes to stderr, and stdout has the outcome alone. --report writes that to a file.",
    ],
    exits: {
      0: "the command's own exit code is passed on; 124 when a limit ended it",
      1: "the machine failed",
      2: "wrong usage",
      4: "run again, it gave something else, or its manifest does not verify",
      3: "refused: the rule is named, and nothing was started or nothing counts",
    },
    load: () => import("./commands/exec.ts"),
  },
  {
    path: ["clear"],
    summary: "say, as somebody else, whether the flagged output of a run may go out as it is",
    example: "sworn clear latest --by rita --why 'Only test data' --out result",
    positionals: [{ name: "trace", about: 'a run that waits: its id, its beginning, or "latest"' }],
    options: {
      by: { type: "string" },
      why: { type: "string" },
      out: { type: "string", short: "o" },
      refuse: { type: "boolean" },
    },
    notes: {
      by: "who looked: anybody but whoever had it run, with a key of their own, made where there is none; without it, what waits is shown",
      why: "what was found; it is kept",
      out: "a new folder for the output; without it the output is taken away",
      refuse: "it does not go out: the run does not count",
    },
    more: [
      "The output waits for 7 days with the keys of this user, outside of every project. The word holds for the",
      "bytes that were flagged, and the policies decide once more; then the manifest is signed.",
    ],
    exits: {
      2: "wrong usage, or the run does not wait",
      3: "refused: the reviewer had it run, or another rule forbids it; or --out is not empty",
      4: "the record or the output is not as it was",
    },
    load: () => import("./commands/clear.ts"),
  },
  {
    path: ["deliver"],
    summary: "hand over a work, a session's commit or a run's output, signed, to a listed place",
    example: "sworn deliver 01j8z5v4n2k3m4p5q6r7s8t9vx --to branch",
    positionals: [
      {
        name: "subject",
        about:
          'the id of a work, or the trace of a session; with --out that of a run, "latest", or its manifest.json',
      },
    ],
    options: {
      out: { type: "string", short: "o" },
      to: { type: "string" },
      send: { type: "boolean" },
    },
    notes: {
      out: "for a run: the folder that sworn exec --out copied the output to",
      to: 'a place that sworn.yaml lists under deliver; for a work also "branch", which is the default',
      send: "for a work: really do what leaves this machine; otherwise it is only rehearsed",
    },
    more: [
      "In sworn.yaml, places for packets, each with the age recipients who may open what is delivered, and",
      "places for the commits of works:",
      "  deliver:",
      "    releases:",
      "      { kind: https, url: https://artifacts.example.org/team, token_env: SWORN_DELIVER_TOKEN, recipients: [age1…] }",
      "    vault: { kind: folder, path: ../vault, recipients: [age1…] }",
      "    upstream: { kind: git, url: https://git.example.org/team/app, token_env: SWORN_DELIVER_TOKEN }",
      "    review:",
      "      { kind: pull-request, repository: team/app, url: https://git.example.org/team/app, token_env: SWORN_DELIVER_TOKEN }",
      "A folder of this machine may say plain: true in place of recipients. No branch is ever moved by force,",
      "and the same work is delivered to the same place once, however often it is asked for.",
    ],
    exits: {
      0: "it was delivered, was there already, or was rehearsed",
      1: "the machine or the destination failed; nothing whole arrived",
      2: "wrong usage, or there is no such work, session or run",
      3: "refused: the rule is named, and nothing left this machine",
    },
    load: () => import("./commands/deliver.ts"),
  },
  {
    path: ["doctor"],
    summary:
      "say which engines and agents there are here, what each of them lacks, and what confines it",
    example: "sworn doctor",
    exits: {
      0: "at least one engine can run tasks",
      3: "none can; what is missing is named",
    },
    load: () => import("./commands/doctor.ts"),
  },
  {
    path: ["prove"],
    summary: "try to break each guarantee on this machine, and say what answered",
    example: "sworn prove",
    more: [
      "A flipped byte, a cut tail, a forged approval, a phantom citation, a lie about tests, a weakened test, a",
      "blocked POST, a fork bomb, a leaked token, a self-vote, an expired exception, a killed runtime that resumes:",
      "each is tried in a temporary folder with keys of its own, in less than a minute together. It needs no model",
      "and no key, and leaves this project and the user's keys alone. That one entry is in a trace is shown by",
      '"sworn trace prove".',
    ],
    exits: {
      0: "every guarantee holds here",
      1: "the machine failed",
      4: "at least one does not hold here; what is missing is named",
    },
    load: () => import("./commands/prove.ts"),
  },
];

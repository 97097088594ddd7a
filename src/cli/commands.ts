import type { ParseArgsConfig } from "node:util";
import type { Command } from "./command.ts";

const trace = { name: "trace", about: 'a trace id, its beginning, or "latest"' };
type Options = NonNullable<ParseArgsConfig["options"]>;
const key: Options = { key: { type: "string" } };

const reviewOptions: Options = {
  with: { type: "string", multiple: true },
  "fail-on": { type: "string" },
  sarif: { type: "boolean" },
};
const reviewNotes = {
  with: "a report by another agent that takes part; may be given more than once",
  "fail-on": "p1, p2, p3 or never: which supported findings make it exit with 3 (p1)",
  sarif: "print SARIF instead of words",
};

/** The whole tree of commands, as data. Each is loaded only when it is run. */
export const COMMANDS: readonly Command[] = [
  {
    path: ["init"],
    summary: "make this project ready: a store for records, keys for the runtime and you",
    example: "sworn init",
    options: { "passphrase-file": { type: "string" }, here: { type: "boolean" } },
    notes: {
      "passphrase-file": "protect the private keys with the passphrase in this file",
      here: "a store of its own for this folder, inside a project that has one",
    },
    more: [
      "The store is .sworn in this folder; commands find it from the folders below, too. The keys lie outside",
      "of it, in $SWORN_STATE_DIR, else $XDG_STATE_HOME/sworn, else ~/.local/state/sworn, and all projects of",
      "a user share them. Where they have a passphrase, commands read it from $SWORN_PASSPHRASE_FILE.",
    ],
    load: () => import("./commands/init.ts"),
  },
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
    load: () => import("./commands/review.ts"),
  },
  {
    path: ["audit"],
    summary: "review a whole tree",
    example: "sworn audit src",
    positionals: [{ name: "path", about: "a folder or file in the repository", optional: true }],
    options: { at: { type: "string" }, ...reviewOptions },
    notes: { at: "the commit to look at (HEAD)", ...reviewNotes },
    load: () => import("./commands/audit.ts"),
  },
  {
    path: ["check"],
    summary: "check the findings in any agent's report against the source",
    example: "sworn check report.md --at HEAD",
    positionals: [
      { name: "reports", about: "Markdown, findings JSON, SARIF or rdjson files", many: true },
    ],
    options: { at: { type: "string" }, repo: { type: "string" } },
    notes: {
      at: "the commit the report is about (HEAD)",
      repo: "a folder in the repository (this one)",
    },
    load: () => import("./commands/check.ts"),
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
    more: [
      "Exit codes: 0 all complete and nothing made up, 1 no file is there at all, 2 the contract cannot be read,",
      "3 something is missing or could not be checked, 4 something was made up, injected, or changed in the contract.",
    ],
    load: () => import("./commands/validate.ts"),
  },
  {
    path: ["verify"],
    summary: "prove offline that a record is whole, signed and in order, and that its claims hold",
    example: "sworn verify session.tar --profile strict",
    positionals: [{ name: "target", about: "a bundle, a proof, or a trace of this project" }],
    options: { ...key, profile: { type: "string" }, fast: { type: "boolean" } },
    notes: {
      key: "the verifier key the record must be signed with (a key, or a file with one)",
      profile: "strict: open disputes fail; default: they warn; lenient: policy only warns",
      fast: "check chain, tree and checkpoint only",
    },
    load: () => import("./commands/verify.ts"),
  },
  {
    path: ["trace", "record"],
    summary: "record a session from a script, one JSON request a line",
    example: "sworn trace record examples/session.jsonl",
    positionals: [{ name: "script", about: 'a JSONL file, or "-" for standard input' }],
    options: { trace: { type: "string" }, "artifacts-from": { type: "string", multiple: true } },
    notes: {
      trace: "continue this trace instead of starting a new one",
      "artifacts-from": "another folder that artifact paths may lie in",
    },
    load: () => import("./commands/trace-record.ts"),
  },
  {
    path: ["trace", "ls"],
    aliases: [["trace", "list"]],
    summary: "list the traces of this project",
    example: "sworn trace ls",
    load: () => import("./commands/trace-ls.ts"),
  },
  {
    path: ["trace", "show"],
    summary: "show the entries of a trace",
    example: "sworn trace show latest 7",
    positionals: [trace, { name: "entry", about: "only this entry, in full", optional: true }],
    options: { artifact: { type: "string" } },
    notes: {
      artifact: "write the bytes of this artifact of the entry to stdout (a name or a hash)",
    },
    load: () => import("./commands/trace-show.ts"),
  },
  {
    path: ["trace", "tail"],
    summary: "show the last entries of a trace; with --follow, wait for more",
    example: "sworn trace tail latest --follow",
    positionals: [trace],
    options: { lines: { type: "string", short: "n" }, follow: { type: "boolean", short: "f" } },
    notes: { lines: "how many (10)", follow: "go on until the session ends or Ctrl-C" },
    load: () => import("./commands/trace-tail.ts"),
  },
  {
    path: ["trace", "export"],
    summary: "write a trace as one portable file",
    example: "sworn trace export latest --out session.tar",
    positionals: [trace],
    options: { out: { type: "string", short: "o" }, force: { type: "boolean" } },
    notes: {
      out: "where to write it (<trace>.tar)",
      force: "overwrite a file that is not a bundle",
    },
    load: () => import("./commands/trace-export.ts"),
  },
  {
    path: ["trace", "import"],
    summary: "take a bundle into this project, after verifying it",
    example: "sworn trace import session.tar",
    positionals: [{ name: "bundle", about: "a file that sworn trace export wrote" }],
    options: key,
    notes: { key: "the verifier key the record must be signed with" },
    load: () => import("./commands/trace-import.ts"),
  },
  {
    path: ["trace", "prove"],
    summary: "prove that one entry is in a trace, without handing out the rest",
    example: "sworn trace prove latest 12 --out proof.json",
    positionals: [trace, { name: "entry", about: "the number of the entry" }],
    options: {
      since: { type: "string" },
      out: { type: "string", short: "o" },
      force: { type: "boolean" },
    },
    notes: {
      since: "also prove that the trace of this size is a prefix",
      out: "write the proof to this file",
      force: "overwrite a file that is not a proof",
    },
    load: () => import("./commands/trace-prove.ts"),
  },
  {
    path: ["trace", "fsck"],
    summary: "check the stored files of traces, byte by byte; changes nothing",
    example: "sworn trace fsck",
    positionals: [{ ...trace, optional: true }],
    load: () => import("./commands/trace-fsck.ts"),
  },
  {
    path: ["trace", "recover"],
    summary: "bring a trace back to its next valid step after a crash or damage",
    example: "sworn trace recover latest",
    positionals: [trace],
    options: { "accept-loss": { type: "boolean" } },
    notes: { "accept-loss": "go on without entries that cannot be read; the loss is recorded" },
    load: () => import("./commands/trace-recover.ts"),
  },
  {
    path: ["keys", "list"],
    aliases: [["keys", "ls"]],
    summary: "list the keys of this user's agents",
    example: "sworn keys list",
    load: () => import("./commands/keys-list.ts"),
  },
  {
    path: ["keys", "rotate"],
    summary: "give an agent a new key and record it in the open traces of this project",
    example: "sworn keys rotate sworn",
    positionals: [{ name: "agent", about: "the agent's name" }],
    load: () => import("./commands/keys-rotate.ts"),
  },
  {
    path: ["keys", "revoke"],
    summary: "revoke an agent's key and record it in the open traces of this project",
    example: 'sworn keys revoke eve --reason "laptop lost"',
    positionals: [{ name: "agent", about: "the agent's name" }],
    options: { ...key, reason: { type: "string" } },
    notes: { key: "which key (its current one)", reason: "why, it is written into the record" },
    required: ["reason"],
    load: () => import("./commands/keys-revoke.ts"),
  },
  {
    path: ["keys", "export-public"],
    summary: "print the public key others verify this user's records with",
    example: "sworn keys export-public",
    positionals: [
      { name: "agent", about: "another agent: prints its raw public key", optional: true },
    ],
    options: { all: { type: "boolean" }, "key-id": { type: "string" } },
    notes: {
      all: "every key it has had, earlier and revoked ones too",
      "key-id": 'this key, as "sworn keys list" names it',
    },
    more: [
      'Without an agent it prints a verifier key, which "sworn verify --key" takes. Agents sign entries and',
      "not records: the raw public key that it prints for an agent is no verifier key.",
    ],
    load: () => import("./commands/keys-export-public.ts"),
  },
];

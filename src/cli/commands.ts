import type { ParseArgsConfig } from "node:util";
import { AGENT_COMMANDS } from "./agent-commands.ts";
import { BEAT_COMMANDS } from "./beat-commands.ts";
import { CI_COMMANDS } from "./ci-commands.ts";
import type { Command } from "./command.ts";
import { CONTEXT_COMMANDS } from "./context-commands.ts";
import { ENVIRONMENT_COMMANDS } from "./environment-commands.ts";
import { EXCEPTION_COMMANDS } from "./exception-commands.ts";
import { EXECUTION_COMMANDS } from "./execution-commands.ts";
import { HOOK_COMMANDS } from "./hook-commands.ts";
import { PLAN_COMMANDS } from "./plan-commands.ts";
import { PLANNER_COMMANDS } from "./planner-commands.ts";
import { POLICY_COMMANDS } from "./policy-commands.ts";
import { REVIEW_COMMANDS } from "./review-commands.ts";
import { SERVING_COMMANDS } from "./serving-commands.ts";
import { TALK_COMMANDS } from "./talk-commands.ts";
import { VOTE_COMMANDS } from "./vote-commands.ts";
import { WORK_COMMANDS } from "./work-commands.ts";

const trace = { name: "trace", about: 'a trace id, its beginning, or "latest"' };
type Options = NonNullable<ParseArgsConfig["options"]>;
const key: Options = { key: { type: "string" } };

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
    exits: { 1: "the store or the keys cannot be written", 3: "a key cannot be used" },
    load: () => import("./commands/init.ts"),
  },
  ...REVIEW_COMMANDS,
  ...PLAN_COMMANDS,
  ...PLANNER_COMMANDS,
  ...SERVING_COMMANDS,
  ...AGENT_COMMANDS,
  ...WORK_COMMANDS,
  ...CI_COMMANDS,
  {
    path: ["verify"],
    summary: "prove offline that a record is whole, signed and in order, and that its claims hold",
    example: "sworn verify session.tar --profile strict",
    positionals: [
      {
        name: "target",
        about:
          "a bundle, a packet or the folder of one, a proof, a trace of this project, or a branch that was delivered",
      },
    ],
    options: {
      ...key,
      profile: { type: "string" },
      fast: { type: "boolean" },
      rerun: { type: "boolean" },
    },
    notes: {
      key: "the verifier key the record must be signed with (a key, or a file with one)",
      profile: "strict: open disputes fail; default: they warn; lenient: policy only warns",
      fast: "check chain, tree and checkpoint only",
      rerun:
        "of a packet: make its checks again in the sandbox, in a clone of the project, and compare",
    },
    exits: {
      0: "it passes, perhaps with warnings",
      2: "wrong usage, or there is no such record",
      4: "it does not verify",
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
    exits: {
      0: "everything is recorded",
      1: "it could not be written; what came before it stays",
      2: "wrong usage, or a line of the script is wrong; nothing is recorded",
      3: "a request was refused; what came before it stays",
      4: "the trace cannot be continued: it is damaged, or an older copy was put back",
    },
    load: () => import("./commands/trace-record.ts"),
  },
  {
    path: ["trace", "ls"],
    aliases: [["trace", "list"]],
    summary: "list the traces of this project",
    example: "sworn trace ls",
    options: { all: { type: "boolean" } },
    notes: { all: "all of them, with those inside a work; else the 20 newest" },
    exits: { 4: "the store cannot be read" },
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
    exits: {
      2: "wrong usage, or there is no such trace, entry or artifact",
      4: "the trace cannot be read, or what is shown is not as it was signed",
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
    exits: { 2: "wrong usage, or there is no such trace", 4: "the trace cannot be read" },
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
    exits: {
      1: "the file cannot be written",
      2: "wrong usage, or there is no such trace",
      3: "something else is in the file's place",
      4: "the trace cannot be read",
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
    exits: {
      1: "the store cannot be written",
      2: "wrong usage, or there is no such file",
      3: "the store has another trace of that name",
      4: "the bundle does not verify",
    },
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
    exits: {
      1: "the file cannot be written",
      2: "wrong usage, or there is no such trace or entry",
      3: "something else is in the file's place",
      4: "the trace cannot be read",
    },
    load: () => import("./commands/trace-prove.ts"),
  },
  {
    path: ["trace", "fsck"],
    summary: "check the stored files of traces, byte by byte; changes nothing",
    example: "sworn trace fsck",
    positionals: [{ ...trace, optional: true }],
    exits: {
      0: "everything is sound",
      2: "wrong usage, or there is no such trace",
      4: "something is damaged",
    },
    load: () => import("./commands/trace-fsck.ts"),
  },
  {
    path: ["trace", "recover"],
    summary: "bring a trace back to its next valid step after a crash or damage",
    example: "sworn trace recover latest",
    positionals: [trace],
    options: { "accept-loss": { type: "boolean" } },
    notes: { "accept-loss": "go on without entries that cannot be read; the loss is recorded" },
    exits: {
      0: "it can go on",
      2: "wrong usage, or there is no such trace",
      4: "entries would be lost and --accept-loss was not given, or it cannot be brought back",
    },
    load: () => import("./commands/trace-recover.ts"),
  },
  ...CONTEXT_COMMANDS,
  ...EXECUTION_COMMANDS,
  ...TALK_COMMANDS,
  ...VOTE_COMMANDS,
  ...BEAT_COMMANDS,
  ...POLICY_COMMANDS,
  ...EXCEPTION_COMMANDS,
  ...ENVIRONMENT_COMMANDS,
  ...HOOK_COMMANDS,
  {
    path: ["keys", "list"],
    aliases: [["keys", "ls"]],
    summary: "list the keys of this user's agents",
    example: "sworn keys list",
    exits: { 3: "a key file is readable by others or cannot be used" },
    load: () => import("./commands/keys-list.ts"),
  },
  {
    path: ["keys", "rotate"],
    summary: "give an agent a new key and record it in the open traces of this project",
    example: "sworn keys rotate sworn",
    positionals: [{ name: "agent", about: "the agent's name" }],
    exits: {
      1: "it could not be written",
      2: "wrong usage, or there is no such agent",
      3: "a key cannot be used",
      4: "a trace cannot be continued",
    },
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
    exits: {
      1: "it could not be written",
      2: "wrong usage, or there is no such agent or key",
      3: "a key cannot be used",
      4: "a trace cannot be continued",
    },
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
    exits: {
      2: "wrong usage, or there is no such agent or key",
      3: "a key file is readable by others or cannot be used",
    },
    load: () => import("./commands/keys-export-public.ts"),
  },
];

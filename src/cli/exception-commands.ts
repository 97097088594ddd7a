import type { Command } from "./command.ts";

/** The commands about leave to break a rule for a while. */
export const EXCEPTION_COMMANDS: readonly Command[] = [
  {
    path: ["exception", "add"],
    summary:
      "record leave to break one rule for named tasks, until a day, approved by somebody else",
    example:
      "sworn exception add --rule I.3 --task build --name AGPL-3.0-only --reason 'Build tool only' " +
      "--owner eli --approver mara --until 2027-06-30 --rollback 'Use the other parser'",
    options: {
      rule: { type: "string" },
      task: { type: "string", multiple: true },
      name: { type: "string", multiple: true },
      reason: { type: "string" },
      owner: { type: "string" },
      requester: { type: "string" },
      approver: { type: "string" },
      until: { type: "string" },
      rollback: { type: "string" },
      "secret-review": { type: "string" },
    },
    required: ["rule", "task", "reason", "owner", "approver", "until", "rollback"],
    notes: {
      rule: "the rule, as a refusal names it: I.3",
      task: "a task it is for, as sworn exec --task names it; may be given more than once",
      name: "where the rule is about named things, one of them; may be given more than once",
      reason: "why it is needed",
      owner: "who answers for it while it lasts",
      requester: "who asks for it (operator)",
      approver: "who approves it: neither the requester, nor the owner, nor whoever runs the task",
      until: "the day or moment it ends: 2027-06-30, at most 366 days from now",
      rollback: "how to get back to the rule",
      "secret-review": "who looked for secrets in what it exposes, where the rule asks for that",
    },
    more: [
      "Requester, approver and reviewer each sign with their own key of this user's keyring, which is made where",
      "there is none. The record is a trace of this project, and no file of the tree that tasks work on.",
    ],
    exits: {
      2: "wrong usage, or the exception could never count; why is said",
      3: "a key cannot be used",
      4: "the store cannot be read",
    },
    load: () => import("./commands/exception-add.ts"),
  },
  {
    path: ["exception", "ls"],
    aliases: [["exception", "list"]],
    summary: "list the exceptions of this project: which stand, and why others do not count",
    example: "sworn exception ls",
    exits: { 4: "the record of an exception cannot be believed" },
    load: () => import("./commands/exception-ls.ts"),
  },
  {
    path: ["exception", "end"],
    summary: "end an exception before its time",
    example: "sworn exception end x-01jd3 --why 'The parser was replaced'",
    positionals: [{ name: "exception", about: "its id, or the beginning of it" }],
    options: { why: { type: "string" } },
    required: ["why"],
    notes: { why: "why it is not needed any more" },
    exits: {
      2: "wrong usage, or there is no such exception",
      4: "its record cannot be believed, so it counts for nothing already",
    },
    load: () => import("./commands/exception-end.ts"),
  },
];

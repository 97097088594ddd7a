import type { Command } from "./command.ts";

/** The commands that tell what the project has on record. */
export const CONTEXT_COMMANDS: readonly Command[] = [
  {
    path: ["context"],
    summary: "show what is recorded about a task: decisions, facts, plan, diff, or one address",
    example: "sworn context decisions facts --task login --full",
    positionals: [
      {
        name: "parts",
        about: "summary, decisions, facts, plan, diff, or an address: ucxl://…",
        optional: true,
        many: true,
      },
    ],
    options: { task: { type: "string" }, select: { type: "string" }, full: { type: "boolean" } },
    notes: {
      task: "the task it is about (none: the project alone)",
      select: "the same parts, with commas between them (summary,decisions)",
      full: "whole texts and patches; otherwise the first line of each",
    },
    more: [
      "Texts stand in it word for word, each with its hash and an address that cannot come to mean anything else.",
      "What contradicts itself is named first. What is restricted is withheld: by a file <name>.meta.json beside it,",
      "by classification=restricted in a message's notes, or because a secret or personal data is found in it.",
      "An address is ucxl://agent:role@project:task/time/what, where any fits everything. A time is *^ (latest), *~ (first),",
      "~~2 (two back), ^^2 (two forward), *~7 (entry 7), a moment in UTC, sha256:<entry> or git:<commit>. What it is: fact/<id>,",
      "decision/<id>, claim/<id>, message/MSG-3, file/<path>, and so on; with /artifact/<name> behind it, stored bytes.",
    ],
    exits: {
      0: "all of it was found, perhaps with nothing in it",
      2: "wrong usage, or there is no such part or nothing at that address",
      4: "the record cannot be read",
    },
    load: () => import("./commands/context.ts"),
  },
  {
    path: ["trace", "requirements"],
    summary: "list requirement ids (PROJ-CAT-000): where cited, decided, tested, what is missing",
    example: "sworn trace requirements --task login",
    options: { at: { type: "string" }, task: { type: "string" } },
    notes: {
      at: "the commit whose files are looked at (the current one)",
      task: "also look at the decisions and the plan of this task",
    },
    more: [
      "An id is defined by a line of a document that begins with it, or by a decision. It is tested by a file of tests",
      "that cites it. Ids in fixtures, vendored and generated files are left out. REQ, WHY and UCXL lines of comments are",
      "read as they are: a REQ without an address, or with one that can come to mean something else, is named.",
    ],
    exits: { 2: "wrong usage, or there is no repository or no such commit" },
    load: () => import("./commands/trace-requirements.ts"),
  },
];

import type { ParseArgsConfig } from "node:util";
import type { Command } from "./command.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

const scope: Options = { task: { type: "string" }, project: { type: "boolean" } };
const scopeNotes = {
  task: "the task it is about",
  project: "about the whole project, as without --task",
};
const text = { name: "text", about: "what is said", optional: true };
const file: Options = { file: { type: "string" } };
const fileNote = { file: 'take the text from this file, or "-" for standard input' };
const box: Options = { box: { type: "string" } };
const boxNote = { box: "the mailbox (mail, in the project's store)" };
const exits = {
  1: "it could not be written",
  2: "wrong usage, or there is no such task or message",
  3: "it was refused, or a key cannot be used",
  4: "the record cannot be read or continued",
};

/** The commands with which a person takes part in what agents talk about. */
export const TALK_COMMANDS: readonly Command[] = [
  {
    path: ["bus", "post"],
    summary: "say something to everybody who works on a task, or on the project",
    example: "sworn bus post 'Keep the public API as it is' --task login",
    positionals: [text],
    options: {
      ...scope,
      ...file,
      kind: { type: "string" },
      parent: { type: "string", multiple: true },
      issue: { type: "string" },
      meta: { type: "string", multiple: true },
    },
    notes: {
      ...scopeNotes,
      ...fileNote,
      kind: "what it is: INFO, FACT, ISSUE, REVIEW, WARNING … (USER)",
      parent:
        "a message it belongs to, and how: MSG-3 or MSG-3:answers; may be given more than once",
      issue: "the name that another system has for what this is about",
      meta: "a note to go with it: phase=work; may be given more than once",
    },
    exits,
    load: () => import("./commands/bus-post.ts"),
  },
  {
    path: ["bus", "read"],
    summary: "show what was said; with --follow, go on as it is said",
    example: "sworn bus read --task login --since MSG-12 --follow",
    positionals: [{ name: "message", about: "only this one, with its whole text", optional: true }],
    options: {
      ...scope,
      since: { type: "string" },
      kind: { type: "string", multiple: true },
      last: { type: "string", short: "n" },
      follow: { type: "boolean", short: "f" },
    },
    notes: {
      ...scopeNotes,
      since: "only what came after this message",
      kind: "only messages of this kind; may be given more than once",
      last: "only the last so many",
      follow: "wait for more until Ctrl-C, and for the first word where there is none yet",
    },
    exits,
    load: () => import("./commands/bus-read.ts"),
  },
  {
    path: ["bus", "ls"],
    aliases: [["bus", "list"]],
    summary: "list what is talked about: the project and its tasks",
    example: "sworn bus ls",
    options: { all: { type: "boolean" } },
    notes: { all: "all of them, with those inside a work; else the 20 newest" },
    exits: { 4: "the store cannot be read" },
    load: () => import("./commands/bus-ls.ts"),
  },
  {
    path: ["ask"],
    summary: "ask something, with the answer that holds without one",
    example: "sworn ask 'Which port?' --default 8080 --task login --deadline 2h",
    positionals: [text],
    options: {
      ...scope,
      ...file,
      default: { type: "string" },
      id: { type: "string" },
      blocks: { type: "string" },
      tier: { type: "string" },
      deadline: { type: "string" },
      beats: { type: "string" },
      to: { type: "string", multiple: true },
    },
    required: ["default"],
    notes: {
      ...scopeNotes,
      ...fileNote,
      default: "the answer that is assumed",
      id: "a name for the question; one is made up otherwise",
      blocks: "what waits for the answer",
      tier: "who decides: 1 whoever asks, 2 the lead, 3 a person",
      deadline: "when the default is taken: 30m, 2h, or a moment in UTC",
      beats: "after so many beats it is taken",
      to: "an agent that may answer besides lead and operator; may be given more than once",
    },
    exits,
    load: () => import("./commands/ask.ts"),
  },
  {
    path: ["answer"],
    summary: "answer a question; without one, list those that are open",
    example: "sworn answer port 443 --task login",
    positionals: [
      { name: "question", about: "its name, or its message's", optional: true },
      { name: "text", about: "the answer", optional: true },
    ],
    options: { ...scope, ...file, overdue: { type: "boolean" } },
    notes: {
      ...scopeNotes,
      ...fileNote,
      overdue: "without a question: take the defaults of those that nobody answered in time",
    },
    exits,
    load: () => import("./commands/answer.ts"),
  },
  {
    path: ["fact", "add"],
    summary: "record something that is held to be so, in a task or in the project",
    example: "sworn fact add 'It is 8080 in tests' --title 'The login port' --task login",
    positionals: [text],
    options: { ...scope, ...file, title: { type: "string" }, id: { type: "string" } },
    required: ["title"],
    notes: {
      ...scopeNotes,
      ...fileNote,
      title: "what it is about",
      id: "its name; made from the title otherwise",
    },
    exits,
    load: () => import("./commands/fact-add.ts"),
  },
  {
    path: ["fact", "ls"],
    aliases: [["fact", "list"]],
    summary: "list facts, and what agents suggest as such",
    example: "sworn fact ls --task login",
    options: scope,
    notes: scopeNotes,
    exits,
    load: () => import("./commands/fact-ls.ts"),
  },
  {
    path: ["fact", "promote"],
    summary: "make a task's fact one of the project; without one, all of them, each once",
    example: "sworn fact promote the-login-port --task login",
    positionals: [
      { name: "fact", about: "a fact's name, or a suggestion's message", optional: true },
    ],
    options: { task: { type: "string" } },
    required: ["task"],
    notes: { task: "the task it comes from" },
    exits,
    load: () => import("./commands/fact-promote.ts"),
  },
  {
    path: ["state"],
    summary: "show where a task stands, and write a note about it",
    example: "sworn state --task login --note 'The limit works; its tests are next'",
    options: { ...scope, note: { type: "string" }, write: { type: "boolean" } },
    notes: {
      ...scopeNotes,
      note: "say in your own words where it stands",
      write: "write it, the bus and the facts as files into the project's store",
    },
    exits,
    load: () => import("./commands/state.ts"),
  },
  {
    path: ["board"],
    summary: "show what a task knows: questions, facts, runs and each agent's last word",
    example: "sworn board --task login",
    options: { ...scope, lock: { type: "boolean" } },
    notes: { ...scopeNotes, lock: "plan from it: whether it changed since is shown from now on" },
    exits,
    load: () => import("./commands/board.ts"),
  },
  {
    path: ["mail", "take"],
    summary: "take the envelopes that lie in a mailbox onto a bus",
    example: "sworn mail take --task login",
    options: { ...scope, ...box },
    notes: { ...scopeNotes, ...boxNote },
    more: [
      "An envelope is a Markdown file with a head of four lines, TO, FROM, PRIORITY and SUBJECT, between two",
      "lines of three dashes. Of one sender, one is taken in 15 minutes; a file that begins with URGENT_ is",
      "taken at once. Who it is from is its own word: the message says so.",
    ],
    exits: {
      ...exits,
      2: "wrong usage, or there is no such task or mailbox",
      3: "a file was put aside, or a key cannot be used",
    },
    load: () => import("./commands/mail-take.ts"),
  },
  {
    path: ["mail", "send"],
    summary: "say something on a bus and put it out as an envelope",
    example: "sworn mail send 'It is done' --to mara --subject 'Login limit' --task login",
    positionals: [text],
    options: {
      ...scope,
      ...file,
      to: { type: "string" },
      subject: { type: "string" },
      priority: { type: "string" },
      ...box,
    },
    required: ["to", "subject"],
    notes: {
      ...scopeNotes,
      ...fileNote,
      to: "who it is for",
      subject: "what it is about",
      priority: "URGENT, IMPORTANT, NORMAL or LOW (NORMAL)",
      ...boxNote,
    },
    exits,
    load: () => import("./commands/mail-send.ts"),
  },
  {
    path: ["mail", "ls"],
    aliases: [["mail", "list"]],
    summary: "list the envelopes that wait in a mailbox",
    example: "sworn mail ls",
    options: box,
    notes: boxNote,
    exits: { 2: "wrong usage, or the mailbox is not there or a link" },
    load: () => import("./commands/mail-ls.ts"),
  },
];

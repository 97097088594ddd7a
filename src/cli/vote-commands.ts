import type { ParseArgsConfig } from "node:util";
import type { Command } from "./command.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

const where: Options = { task: { type: "string" }, trace: { type: "string" } };
const whereNotes = {
  task: "the task it is about",
  trace: 'the session it is about: a trace id, its beginning, or "latest"',
};
const many = { type: "string", multiple: true } as const;
const exits = {
  1: "it could not be written",
  2: "wrong usage, or there is no such task, trace or completion",
  3: "it was refused, or a key cannot be used",
  4: "the record cannot be read or continued",
};

/** The commands with which people agree on finished work. */
export const VOTE_COMMANDS: readonly Command[] = [
  {
    path: ["propose"],
    summary: "propose a commit or a work as complete, with what is done and what is not",
    example:
      "sworn propose HEAD --task login --why 'It was asked for' --risk none --rollback revert",
    positionals: [{ name: "commit", about: "a commit, or a work's id (HEAD)", optional: true }],
    options: {
      ...where,
      base: { type: "string" },
      why: { type: "string" },
      risk: many,
      "risk-class": { type: "string" },
      rollback: { type: "string" },
      scope: many,
      defer: many,
      beats: { type: "string" },
      requirement: many,
      docs: { type: "string" },
    },
    notes: {
      ...whereNotes,
      base: "what it is compared with (where its branch began)",
      why: "why it was changed",
      risk: "what could go wrong; may be given more than once",
      "risk-class": "low, medium, high or critical (high)",
      rollback: "how to go back",
      scope: "what it touches (the changed files); may be given more than once",
      defer: "an item that can wait, and the decision of somebody who did not make it: docs=d1",
      requirement: "what asked for it, beside what its commits name; may be given more than once",
      docs: "why no document had to change",
      beats: "the votes are needed within so many beats",
    },
    more: [
      "The runtime runs the tests twice, sealed off, and looks at coverage, documents, secrets, licences and what",
      "asked for it. What could not be found out is unknown, unknown is not done, and each item says what makes it",
      "known. While anything is not done it is a draft, and nobody votes on it. A completion that is still open is",
      "revised, and the votes on that one are stale.",
    ],
    exits,
    load: () => import("./commands/propose.ts"),
  },
  {
    path: ["vote"],
    summary: "vote on finished work: green, yellow or red",
    example: "sworn vote k1 green --scope login --why 'Tests cover it' --evidence src/login.ts:12",
    positionals: [
      { name: "completion", about: 'its name, address or digest, or "latest"' },
      { name: "colour", about: "green, yellow or red", optional: true },
    ],
    options: {
      ...where,
      checks: { type: "boolean" },
      scope: many,
      why: { type: "string" },
      evidence: many,
      mitigation: many,
      fix: { type: "string" },
    },
    notes: {
      ...whereNotes,
      checks: "have the runtime vote by its own checks, which run the tests again",
      scope: "what of it you looked at (all of it); may be given more than once",
      why: "why; needed",
      evidence:
        "where you looked, needed: file:line, a message or an artifact; may be given more than once",
      mitigation: 'with yellow: "action; owner; deadline"; may be given more than once',
      fix: "with red: how it could be fixed",
    },
    more: [
      "green: does what was asked, is shown to by the record, and what is left is no risk. yellow: may go out",
      "if named repairs are made. red: breaks a requirement, a decision or a rule. You vote as the operator;",
      "a second vote takes the place of your first. Whoever made it does not vote. Agents vote with the same words",
      "from their sandbox, when they run as critic or auditor: sworn agents run <name> --role critic.",
    ],
    exits,
    load: () => import("./commands/vote.ts"),
  },
  {
    path: ["status"],
    summary: "one screen: what runs, what waits for whom, what it cost, what is unproven",
    example: "sworn status",
    positionals: [
      { name: "completion", about: "with --review: only this one, with its votes", optional: true },
    ],
    options: { ...where, review: { type: "boolean" }, watch: { type: "boolean" } },
    notes: {
      ...whereNotes,
      review: "reviews of finished work alone: votes, what blocks, and what comes next",
      watch: "go on, and draw it again when something changes, until Ctrl-C",
    },
    more: [
      "The most urgent comes first, each with the command to type next; --json has all of it. It reads only,",
      "and goes on reading where a record is damaged: that is an item, too. Tokens and money are what agents",
      "told of themselves.",
    ],
    exits,
    load: () => import("./commands/status.ts"),
  },
  {
    path: ["settle"],
    summary: "end the review of something delivered: merged or rejected",
    example: "sworn settle k1 --into main",
    positionals: [{ name: "completion", about: 'its name, address or digest, or "latest"' }],
    options: {
      ...where,
      into: { type: "string" },
      ask: { type: "boolean" },
      merged: { type: "boolean" },
      rejected: { type: "boolean" },
      why: { type: "string" },
    },
    notes: {
      ...whereNotes,
      into: "the branch that it was to be merged into (the one that is checked out)",
      ask: "ask the forge what became of its pull request; sends the token that sworn.yaml names",
      merged: "it was merged, whatever the branch shows: rebased or squashed, say",
      rejected: "it was not taken",
      why: "with --merged or --rejected: why you say so",
    },
    more: [
      "Without --merged, --rejected and --ask a branch is looked at: where it contains the very commit that was",
      "agreed on, that is merged. With --ask the forge is: a request that was merged or closed counts when its head",
      "is that commit, and is stale otherwise. Your own word is recorded under your name, with the reason.",
      "Where there is nothing to say yet, nothing is recorded, and --json has moved: null.",
    ],
    exits: { ...exits, 1: "the forge gave no answer that counts, or it could not be written" },
    load: () => import("./commands/settle.ts"),
  },
  {
    path: ["decide"],
    summary: "record a decision; without one, list them, or those behind a file or claim",
    example: "sworn decide 'In memory' --context 'Where to count' --file src/login.ts --task login",
    positionals: [{ name: "choice", about: "what is decided", optional: true }],
    options: {
      ...where,
      context: { type: "string" },
      option: many,
      id: { type: "string" },
      file: many,
      claim: many,
      requirement: many,
      replaces: many,
      for: { type: "string" },
      accept: { type: "boolean" },
      why: { type: "string" },
    },
    notes: {
      ...whereNotes,
      context: "what it is about",
      option: "what else was possible; may be given more than once",
      id: "its name; one is made up otherwise",
      file: "a file or folder that it justifies; may be given more than once",
      claim: "a claim that it justifies; may be given more than once",
      requirement: "a requirement that it is about; may be given more than once",
      replaces: "a decision that it takes the place of; may be given more than once",
      for: "the completion whose review it settles",
      accept: "with --for: bear doubts that stayed after reviewers voted again",
      why: "without a choice: the decisions that justify this file, claim, completion or requirement",
    },
    exits,
    load: () => import("./commands/decide.ts"),
  },
];

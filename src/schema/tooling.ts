import * as z from "zod";
import { Name, Text } from "./id.ts";
import { MESSAGE_KINDS, Message, MessageId, Question, ThreadKind } from "./message.ts";
import { RUN_STATUSES, RunId } from "./run-info.ts";
import { Count, Fact, Id, Judged, ReadMessage, Scope, State, Suggestion } from "./told.ts";
import { Mitigation } from "./vote.ts";

/** Longest line that is read from or written to a run's socket, in bytes. */
export const TOOLING_LINE_BYTES_MAX = 2 << 20;

const Words = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed(), "expected well-formed Unicode (no lone surrogates)");

/** Longer texts are kept as an artifact beside the message. */
const LONG_TEXT_CHARS_MAX = 1 << 20;

/**
 * A file of the run's own tree. Anything that could lead out of it is no path, whoever would read
 * it and wherever.
 */
const TreePath = z
  .string()
  .min(1)
  .max(4_096)
  .refine(
    (path) =>
      !/[\0\\]/.test(path) && path.split("/").every((part) => !["", ".", ".."].includes(part)),
    "expected a path inside the work tree, without a leading slash and without ..",
  );

const Roles = z.array(Words(64)).max(100);

/**
 * What can be asked of the runtime from inside a run, or by an MCP client: for each verb its
 * arguments and its answer. There is no field for who asks. All objects are closed, so that a
 * request which tries to say it is refused as a whole.
 */
export const VERBS = {
  "bus.post": {
    about: "Post a message to the task's bus, or to the project's.",
    args: z.strictObject({
      text: Words(LONG_TEXT_CHARS_MAX).describe("What to say, as Markdown"),
      kind: z.enum(MESSAGE_KINDS).default("INFO").describe("START, STOP and RUN_ are the runner's"),
      scope: Scope.default("task"),
      parents: z
        .array(z.strictObject({ id: MessageId, kind: ThreadKind.default("reply") }))
        .max(100)
        .default([])
        .describe("The messages that this one is about"),
      issue_id: Message.shape.issue_id.describe("What another system calls what this is about"),
      links: Message.shape.links,
      meta: Message.shape.meta,
    }),
    answer: z.strictObject({ id: MessageId, task: Name.nullable() }),
  },
  "bus.read": {
    about: "Read messages in their order, from a message on.",
    args: z.strictObject({
      scope: Scope.default("task"),
      since: MessageId.optional().describe("Only messages after this one"),
      message: MessageId.optional().describe("This one alone, with its whole text"),
      limit: z.int().min(1).max(1_000).default(100),
    }),
    answer: z.strictObject({
      messages: z.array(ReadMessage),
      /** Whether there are more behind the last one. */
      more: z.boolean(),
      task: Name.nullable(),
    }),
  },
  ask: {
    about:
      "Ask the people a question, with the answer that holds if nobody gives one; or look an answer up.",
    args: z
      .strictObject({
        text: Text.optional().describe("The question"),
        default: Text.optional().describe("What is done when nobody answers"),
        id: Name.optional().describe("A name for the question; one is made up otherwise"),
        deadline: Question.shape.deadline.describe(
          "When the default is taken, such as 2030-12-31T00:00:00.000Z",
        ),
        beats: z.int().min(1).max(1_000).optional().describe("After so many beats it is taken"),
        tier: Question.shape.tier,
        to: Question.shape.to,
        question: Id.optional().describe("A question asked before: its answer is looked up"),
      })
      .refine(
        ({ question, ...asking }) =>
          question === undefined
            ? asking.text !== undefined && asking.default !== undefined
            : Object.keys(asking).length === 0,
        "expected text and default to ask, or question alone to look an answer up",
      ),
    answer: z.strictObject({
      question: Id,
      id: MessageId,
      state: z.enum(["open", "overdue", "answered"]),
      answer: z.string().nullable(),
      by: Name.nullable(),
    }),
  },
  answer: {
    about: "Answer a question that names you as one who may. Any other is for people.",
    args: z.strictObject({
      question: Id.describe("The question's name, or its message's"),
      text: Text.describe("The answer"),
      scope: Scope.default("task"),
    }),
    answer: z.strictObject({ question: Id, id: MessageId, task: Name.nullable() }),
  },
  check: {
    about: "Hold a report's findings against the source at the run's commit, before handing it in.",
    args: z.strictObject({
      report: Words(LONG_TEXT_CHARS_MAX).describe("Findings: Markdown, JSON, SARIF or rdjson"),
      name: TreePath.default("report.md").describe("What the report is called"),
    }),
    answer: z.strictObject({
      commit: z.string(),
      /** How much of the report was understood: what was not has not been checked. */
      hearing: z.enum(["whole", "partial", "none"]),
      findings: z.array(Judged),
      /** What it says was run, such as tests that pass: nobody saw it. */
      claims: z.array(
        z.strictObject({ text: z.string(), verdict: z.literal("UNVERIFIED"), reason: z.string() }),
      ),
      unread: z.array(z.strictObject({ line: Count, text: z.string(), why: z.string() })),
    }),
  },
  "facts.propose": {
    about: "Propose a fact: something that will still be true and useful after this run.",
    args: z.strictObject({ title: Words(200), text: Words(60_000) }),
    answer: z.strictObject({ id: MessageId, task: Name.nullable() }),
  },
  "facts.read": {
    about: "Read what is known: facts of the task, or of the project.",
    args: z.strictObject({ scope: Scope.default("task") }),
    answer: z.strictObject({ facts: z.array(Fact), suggested: z.array(Suggestion) }),
  },
  "state.read": {
    about: "Read how the task stands: its state, runs, open questions and the lead's note.",
    args: z.strictObject({}),
    answer: z.strictObject({ markdown: z.string(), state: State.nullable() }),
  },
  "status.note": {
    about: "Leave a note that goes with your next status. What you do is seen, not said.",
    args: z.strictObject({ text: Words(256).describe("One sentence") }),
    answer: z.strictObject({ agent: Name, note: z.string() }),
  },
  "context.get": {
    about: "Get the project's own context as Markdown. It counts before anything learnt elsewhere.",
    args: z.strictObject({
      selectors: z
        .array(Words(256))
        .min(1)
        .max(50)
        .describe('Which parts: "summary", "decisions", …'),
      scope: z.enum(["brief", "full"]).default("brief"),
    }),
    answer: z.strictObject({ markdown: z.string() }),
  },
  "review.vote": {
    about: "Vote on an artifact. A yellow vote needs mitigations; a red one says how to fix it.",
    args: z
      .strictObject({
        artifact: Words(4_096),
        vote: z.enum(["green", "yellow", "red"]),
        rationale: Text,
        evidence_refs: z
          .array(Words(4_096))
          .max(100)
          .default([])
          .describe("Where you looked: src/a.ts:12, MSG-3, sha256:…; each is looked up"),
        mitigations: z.array(Mitigation).max(100).default([]),
        scope: z.array(Words(4_096)).max(100).default([]).describe("What of it you looked at"),
        fix: Text.optional().describe("With a red vote: how it could be fixed"),
      })
      .refine(
        ({ vote, mitigations }) => vote !== "yellow" || mitigations.length > 0,
        "expected mitigations with a yellow vote: action, owner and deadline",
      ),
    answer: z.strictObject({ artifact: z.string(), phase: z.string() }),
  },
  "review.status": {
    about: "Say where the review of an artifact stands.",
    args: z.strictObject({ artifact: Words(4_096) }),
    answer: z.strictObject({
      phase: z.enum(["DRAFT", "REVIEW", "CONSENSUS", "SUBMITTED", "MERGED", "REJECTED"]),
      votes: z.strictObject({ green: Count, yellow: Count, red: Count }),
      blockers: z.array(z.string()),
    }),
  },
  "deliver.submit": {
    about: "Hand an artifact that was agreed on over for delivery, with its packet.",
    args: z.strictObject({
      artifact: Words(4_096),
      packet_markdown: Words(LONG_TEXT_CHARS_MAX),
      files: z.array(TreePath).max(1_000).default([]),
      notify_roles: Roles.default([]),
      urgency: z.enum(["standard", "hotfix"]).default("standard"),
    }),
    answer: z.strictObject({
      submission_id: z.string(),
      status: z.enum(["queued", "accepted", "rejected"]),
      error: z.string().optional(),
    }),
  },
  "run.delegate": {
    about: "Ask for a child run: work that is too large for this run, or lies elsewhere.",
    args: z.strictObject({
      agent: Name.describe("Which agent of the project is to do it"),
      prompt: Text.describe("What it is to do, complete in itself"),
    }),
    answer: z.strictObject({ run_id: RunId }),
  },
  "run.status": {
    about: "Say how a child run stands, and what it left when it is over.",
    args: z.strictObject({ run_id: RunId }),
    answer: z.strictObject({
      run_id: RunId,
      agent: Name,
      status: z.enum(RUN_STATUSES),
      output: z.string().nullable(),
      ref: z.string().nullable(),
    }),
  },
} as const;

/** The name of something that can be asked for. */
export type Verb = keyof typeof VERBS;
export type VerbArgs<V extends Verb> = z.output<(typeof VERBS)[V]["args"]>;
export type VerbAnswer<V extends Verb> = z.output<(typeof VERBS)[V]["answer"]>;

/** One line of a request. The arguments are judged by their verb's own shape. */
export const ToolingRequest = z.strictObject({
  id: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  verb: z.string().min(1).max(64),
  args: z.record(z.string(), z.unknown()).default({}),
});

/** What came of a request: an answer, a no with its rule, or a failure with its code. */
export type ToolingOutcome<V extends Verb = Verb> =
  | { readonly ok: VerbAnswer<V> }
  | { readonly refused: { readonly rule: string; readonly reason: string } }
  | { readonly error: { readonly code: string; readonly message: string } };

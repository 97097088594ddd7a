import * as z from "zod";
import { WindowId } from "./cadence.ts";
import { Digest, Name, Text } from "./id.ts";
import { RiskClass } from "./role.ts";
import { Mitigation } from "./vote.ts";

const LIST_MAX = 1_000;
const Line = Text.max(4_096);
const lines = z.array(Line).max(LIST_MAX);
const digests = z.array(Digest).max(LIST_MAX);

/** What work needs before anybody votes on it, in the order in which it is shown. */
export const DONE_ITEMS = [
  "spec",
  "tests",
  "reproducibility",
  "diff",
  "budgets",
  "secrets",
  "licences",
  "docs",
  "traceability",
  "critiques",
] as const;
export const DoneItem = z.enum(DONE_ITEMS);
export type DoneItem = z.infer<typeof DoneItem>;

/** One item of the definition of done, worked out from facts. */
export const JudgedItem = z.strictObject({
  item: DoneItem,
  state: z.enum(["done", "not-done", "deferred"]),
  reason: Line,
  /** The decision that puts it off. */
  decision_id: Name.optional(),
});
export type JudgedItem = z.infer<typeof JudgedItem>;

/** What somebody who proposes work as complete says of it. Reviewers vote on these very bytes. */
export const CompletionDocument = z.strictObject({
  v: z.literal(1),
  completion_id: Name,
  artifact: Line,
  subject: Digest,
  scope: lines.min(1),
  snapshot: z.strictObject({
    at: z.iso.datetime({ precision: 3 }),
    /** What was built or committed, by its hash. */
    build: Text.max(128),
  }),
  links: z.strictObject({ spec: lines, decisions: z.array(Name).max(LIST_MAX) }),
  diff: z
    .strictObject({ summary: Text, why: Text, risk_class: RiskClass, risks: lines })
    .nullable(),
  tests: z
    .strictObject({
      passed: z.int().min(0),
      failed: z.int().min(0),
      /** Of the lines that the change touches, in percent; null where nobody measured it. */
      coverage: z.int().min(0).max(100).nullable(),
      coverage_min: z.int().min(0).max(100),
    })
    .nullable(),
  performance: lines,
  security: lines,
  compliance: lines,
  docs: lines,
  rollback: Text.nullable(),
  open_yellows: z.array(Mitigation).max(LIST_MAX),
  provenance: z.strictObject({ addresses: lines, lineage: Text }),
  /** What can be looked at: the context as it was, results of tests and measurements, data. */
  evidence: z.strictObject({
    context: digests,
    results: digests,
    data: digests,
    /** By which they are found among the logs of the time; null where no beats are counted. */
    keys: z
      .strictObject({
        hlc: z.string().regex(/^[0-9a-f]{16}$/),
        beat_index: z.int().min(0),
        window_id: WindowId,
        goal_ids: z.array(Line).max(LIST_MAX),
      })
      .nullable(),
  }),
  /** What tools printed, word for word. */
  outputs: z.array(z.strictObject({ name: Line, text: z.string().max(65_536) })).max(100),
  request: z.strictObject({
    seats: z
      .array(z.enum(["domain", "quality"]))
      .min(1)
      .max(10),
    due_beat: z.int().min(0).nullable(),
  }),
  done: z.array(JudgedItem).length(DONE_ITEMS.length),
});
export type CompletionDocument = z.infer<typeof CompletionDocument>;

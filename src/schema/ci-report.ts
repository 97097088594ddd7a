import * as z from "zod";
import { TestCounts } from "./observation.ts";

const Text = z.string().max(100_000);
const Commit = z.string().regex(/^[0-9a-f]{40,64}$/);

/** One run of one check. */
export const CiRun = z.strictObject({
  /** `same`: it would be on the same files as the run on head, and was not made again. */
  state: z.enum(["pass", "fail", "no-tests", "undecided", "same"]),
  /** Null where it did not run, or did not end by itself. */
  exit: z.int().min(0).max(255).nullable(),
  /** Null where it counted none. */
  tests: TestCounts.nullable(),
  /** What came of it, in words. */
  why: Text,
  /** The beginning and the end of what it printed; somebody else's text. */
  output: Text,
});
export type CiRun = z.infer<typeof CiRun>;

/** One check on three trees, and what the three show together. */
export const CiCheck = z.strictObject({
  name: Text,
  argv: z.array(Text).min(1).max(1_000),
  /** Whether it has to count tests to pass. */
  is_tests: z.boolean(),
  /** `unproven`: it passes on head, and with the tests of base it does not or nobody knows. */
  status: z.enum(["pass", "fail", "unproven"]),
  shows: Text,
  base: CiRun,
  head: CiRun,
  /** Head, with the tests of base put back. */
  old_tests: CiRun,
});
export type CiCheck = z.infer<typeof CiCheck>;

/** Something that the description says, and what became of it. */
export const CiClaim = z.strictObject({
  kind: z.enum(["tests", "file", "command", "finding", "citation", "unread"]),
  /** In its author's words, cut. */
  text: Text,
  verdict: z.enum(["confirmed", "unverified", "refuted"]),
  why: Text,
});
export type CiClaim = z.infer<typeof CiClaim>;

/** A test that the change makes easier to pass. */
const CiWeakened = z.strictObject({
  severity: z.enum(["weakened", "note"]),
  kind: Text,
  path: Text,
  line: z.int().min(1).nullable(),
  /** Which side the line is of. */
  side: z.enum(["before", "after"]),
  is_rewrite: z.boolean(),
  message: Text,
});
export type CiWeakened = z.infer<typeof CiWeakened>;

/** What `sworn ci` says of a pull request. */
export const CiReport = z.strictObject({
  v: z.literal(1),
  kind: z.literal("ci"),
  /** `undeclared`: nothing says what is to be run, so that nothing was. */
  status: z.enum(["pass", "fail", "undeclared"]),
  /** The pull request's number, where it is known. */
  request: z.int().min(1).nullable(),
  /** Where the change began. */
  base: Commit,
  head: Commit,
  judge: z.strictObject({
    /** The commit whose `sworn.yaml` counts, and in words which one that is. */
    commit: Commit,
    how: Text,
    declared: z.enum(["ci.checks", "work.tests"]).nullable(),
    /** Whether the change has another `sworn.yaml`, which did not count. */
    is_changed_by_head: z.boolean(),
  }),
  /** What could be declared, where nothing is. */
  suggestion: z.array(Text).nullable(),
  checks: z.array(CiCheck).max(50),
  /** The files that head has as base had them, in the runs with the tests of base. */
  put_back: z.array(Text).max(1_000),
  weakened: z.array(CiWeakened).max(1_000),
  claims: z.array(CiClaim).max(2_000),
  /** What else is to be known. */
  notes: z.array(Text).max(100),
  /** The comment that was made of it, where that was asked for. */
  posted: z
    .strictObject({ did: z.enum(["written", "updated", "unchanged"]), url: Text })
    .nullable(),
});
export type CiReport = z.infer<typeof CiReport>;

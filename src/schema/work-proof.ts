import * as z from "zod";

/** The longest output of a subtask that a judge is shown. */
export const JUDGE_LINES_MAX = 500;
/** Below this many points a judge has said nothing: it is inconclusive, and never a pass. */
export const JUDGE_POINTS_MIN = 70;

const Line = z
  .string()
  .min(1)
  .max(10_000)
  .refine((text) => text.isWellFormed(), "expected well-formed Unicode");
const Argv = z.array(z.string().max(10_000)).min(1).max(1_000);

/** A file of the project, seen from its root, with no way out of it. */
export const ProjectPath = z
  .string()
  .min(1)
  .max(1_000)
  .refine(
    (path) =>
      !/^[/~]|\\|\0/.test(path) &&
      path.split("/").every((part) => part !== ".." && part !== "." && !/^\.git$/i.test(part)),
    'expected a path inside the project, without a leading "/", ".." or ".git"',
  );

/** The checks in words that a proof shows, word for word: none of them needs a proof of its own then. */
const covering = { covers: z.array(z.string().min(1).max(10_000)).min(1).max(1_000).optional() };

/** A test by its name: red before the work, green after it, red again with the work taken out. */
export const NamedTest = z.strictObject({
  name: Line,
  /** The file it is in, where names alone would leave it open. */
  file: ProjectPath.optional(),
  /** What runs it, without a shell; found from the project's own settings where nobody says. */
  command: Argv.optional(),
  ...covering,
});
export type NamedTest = z.infer<typeof NamedTest>;

/** One check of a subtask that the runtime makes itself. */
export const WorkProof = z.discriminatedUnion("kind", [
  /** An assertion about `result`, without imports. */
  z.strictObject({ kind: z.literal("python"), assertion: Line, ...covering }),
  z.strictObject({ kind: z.literal("test"), ...NamedTest.shape }),
  z.strictObject({
    kind: z.literal("command"),
    argv: Argv,
    exit: z.int().min(0).max(255).default(0),
    /** What it has to print, word for word, somewhere. */
    stdout: Line.optional(),
    stderr: Line.optional(),
    ...covering,
  }),
  z.strictObject({
    kind: z.literal("file"),
    path: ProjectPath,
    present: z.boolean(),
    ...covering,
  }),
  z.strictObject({
    kind: z.literal("pattern"),
    path: ProjectPath,
    /** A regular expression, held against the file line by line. */
    pattern: Line,
    present: z.boolean(),
    ...covering,
  }),
  z.strictObject({
    kind: z.literal("json"),
    path: ProjectPath,
    /** Where in the document, as RFC 6901 writes it. */
    pointer: z
      .string()
      .max(1_000)
      .regex(/^(\/.*)?$/s, 'expected "" or a pointer with a leading "/"'),
    equals: z.json(),
    ...covering,
  }),
  z.strictObject({
    kind: z.literal("sections"),
    path: ProjectPath,
    headings: z.array(Line).min(1).max(100),
    ...covering,
  }),
  z.strictObject({
    kind: z.literal("http"),
    /** What starts the service in the sandbox, without a shell. */
    start: Argv,
    port: z.int().min(1).max(65_535),
    path: z.string().max(2_000).regex(/^\//, 'expected a leading "/"'),
    status: z.int().min(100).max(599),
    /** What its answer has to contain. */
    body: Line.optional(),
    seconds: z.int().min(1).max(300).default(30),
    ...covering,
  }),
  /** A line that the work adds (or takes away). */
  z.strictObject({
    kind: z.literal("diff"),
    path: ProjectPath.optional(),
    contains: Line,
    side: z.enum(["added", "removed"]).default("added"),
    ...covering,
  }),
  /** Another agent's opinion about one criterion; it sees the criterion, the output and the rubric, nothing else. */
  z.strictObject({ kind: z.literal("judge"), criterion: Line, rubric: Line.optional() }),
]);
export type WorkProof = z.infer<typeof WorkProof>;
export type WorkProofOf<K extends WorkProof["kind"]> = Extract<WorkProof, { kind: K }>;

/**
 * What came of a proof. `unproven` is a check that could not be made or did not decide (a tool
 * failed, a judge was unsure): it is shown as that, and never taken for a pass.
 */
export interface ProofOutcome {
  readonly proof: WorkProof;
  readonly verdict: "pass" | "fail" | "unproven";
  /** One sentence: what was expected, and what was found. */
  readonly reason: string;
  /** What the check printed, cut; for the report and for the worker's next try. */
  readonly output: string;
}

import * as z from "zod";

const Text = z.string().max(100_000);
const Count = z.int().min(0);

/** What a test runner said it ran. */
export const TestCounts = z.strictObject({
  /** Whose form it was in: `vitest`, `junit`. */
  form: Text,
  passed: Count,
  failed: Count,
  /** Left out by somebody's wish, or to be written. */
  skipped: Count,
  /** Some runners count packages when all is well, and tests only when asked to. */
  unit: z.enum(["test", "package"]),
  /** Where several runners summed up, one after the other, each of them; the last is what is counted above. */
  parts: z
    .array(z.strictObject({ passed: Count, failed: Count }))
    .max(1_000)
    .exactOptional(),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** One process, as the runtime saw it from outside. */
export const SeenProcess = z.strictObject({
  /** Whether the run started it, or the runtime did after it, on a fresh copy of what the run left. */
  by: z.enum(["run", "runtime"]),
  /** The file that was executed, and what it was told; where nobody saw the start, its own word for it. */
  argv: z.array(Text).min(1).max(1_000),
  /** Empty when it is not known. */
  cwd: Text,
  /** Null when a signal ended it, or nobody saw how. */
  exit: z.int().min(0).max(255).nullable(),
  signal: Text.nullable(),
  wall_ms: Count,
  /** Of the first process these are for everything that the run did; of the others they are not known. */
  cpu_ms: Count.nullable(),
  peak_bytes: Count.nullable(),
  /** Names of the tree before and after; null when it was not looked at. */
  tree_before: Text.nullable(),
  tree_after: Text.nullable(),
  tests: TestCounts.nullable(),
});
export type SeenProcess = z.infer<typeof SeenProcess>;

/** What the runtime saw of one run. */
export const Observation = z.strictObject({
  /** The tree as the run left it. */
  tree: Text,
  changed: z.array(z.strictObject({ path: Text, how: z.enum(["added", "modified", "deleted"]) })),
  /** What a `.gitignore` keeps out, folders with a slash at the end: nobody looked into it. */
  ignored: z.array(Text),
  processes: z.array(SeenProcess),
  /** Whether no process could have run unseen: only then does "none was seen" mean that there was none. */
  is_complete: z.boolean(),
  /** Why one could have; empty when none could. */
  gaps: z.array(Text),
});
export type Observation = z.infer<typeof Observation>;

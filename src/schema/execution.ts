import * as z from "zod";
import { Name, Text } from "./id.ts";

/** The engines that can run a task. */
export const ENGINES = ["bwrap", "docker"] as const;
export type EngineName = (typeof ENGINES)[number];

/** The kinds of registries whose configuration can be read, and pulled from. */
export const PULL_KINDS = ["npm", "pip", "cargo", "go", "apt"] as const;

const Count = (max: number) => z.int().min(1).max(max);
const MIB = 1 << 20;
const GIB = 1024 * MIB;

/** What a task may use. Every one of them is set; one that cannot be enforced refuses the run. */
export const Limits = z.strictObject({
  memory_bytes: Count(1024 * GIB).default(2 * GIB),
  /** How many processors' time it may use, in thousandths. */
  cpu_thousandths: Count(1_024_000).default(2_000),
  pids: Count(32_768).default(512),
  open_files: Count(1_048_576).default(4_096),
  /** The largest file it may write. */
  file_bytes: Count(1024 * GIB).default(GIB),
  /** All of `/tmp`, and of `/dev/shm`. */
  tmp_bytes: Count(1024 * GIB).default(256 * MIB),
  /** All of `/workspace/data`. */
  data_bytes: Count(1024 * GIB).default(2 * GIB),
  /** All of `/workspace/output`. */
  output_bytes: Count(1024 * GIB).default(GIB),
  output_files: Count(10_000_000).default(10_000),
  /** What it may print, both streams together. */
  stream_bytes: Count(16 * GIB).default(64 * MIB),
  step_seconds: Count(86_400).default(15 * 60),
  job_seconds: Count(604_800).default(60 * 60),
});
export type Limits = z.infer<typeof Limits>;

/** Where a task finds things, the same in every engine. */
export const WORKSPACE = {
  root: "/workspace",
  input: "/workspace/input",
  data: "/workspace/data",
  output: "/workspace/output",
} as const;

/** What an agent's run, and nothing else, finds of us. No setting moves it. */
export const TOOLING = {
  folder: "/run/sworn/tooling",
  /** Where `sworn` lies: first on the PATH. */
  bin: "/run/sworn/tooling/bin",
  /** Where the run speaks to the runtime. */
  socket: "/run/sworn/tooling/run.sock",
} as const;

/** The digest that names an environment: never a tag, which can point somewhere else tomorrow. */
export const EnvironmentDigest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, "expected sha256: and 64 hexadecimal digits");

/** The environments that can be built from Debian packages, and the machine's own tools. */
export const ENVIRONMENTS = [
  "host",
  "base",
  "node",
  "python",
  "rust",
  "go",
  "java",
  "cpp",
] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** What is known of a task before it is planned, as whoever hands it out writes it. */
export const TaskContext = z.strictObject({
  /** `PROJ-001`; in lower case it is the task's name. */
  task_id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "expected letters, digits, dot, dash, underscore"),
  description: Text,
  context: z
    .strictObject({
      language: Text.max(100).optional(),
      repository_url: Text.max(2_048).optional(),
    })
    .default({}),
});
export type TaskContext = z.infer<typeof TaskContext>;

/** What is going to happen, written down before anything of it does. */
export const ExecutionPlan = z.strictObject({
  v: z.literal(1),
  task: Name,
  description: Text.optional(),
  engine: z.enum(ENGINES),
  /** By digest; the name is for people. */
  environment: z.strictObject({ name: Name, digest: EnvironmentDigest }),
  /** Why this environment. */
  rationale: Text,
  /** In their order, in words; a command with its arguments, without secrets. */
  steps: z
    .array(z.strictObject({ what: Text, argv: z.array(z.string()).min(1).optional() }))
    .min(1)
    .max(100),
});
export type ExecutionPlan = z.infer<typeof ExecutionPlan>;

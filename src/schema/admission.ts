import * as z from "zod";
import { ENGINES, EnvironmentDigest, Limits } from "./execution.ts";
import { Digest, Name, Text } from "./id.ts";

const LIST_MAX = 4_096;
const MOUNTS_MAX = 256;
const AMOUNT_MAX = 1_000_000_000_000;
/** What a command line may come to; systems take no more. */
const ARGV_CHARS_MAX = 2_097_152;

function isWellFormed(texts: readonly string[]): boolean {
  return texts.every((text) => text.isWellFormed());
}

function isShort(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) <= ARGV_CHARS_MAX;
}

/** The two moments of a decision: before anything is created, and after the run, before it counts as done. */
export const MOMENTS = ["start", "complete"] as const;

/** Everything that an engine must be able to enforce. Facts state each of them; one that is left out denies. */
export const CONTROLS = [
  "network_none",
  "read_only_root",
  "no_capabilities",
  "no_new_privileges",
  "unprivileged_uid",
  "seccomp",
  "pids",
  "memory",
  "cpu",
  "open_files",
  "file_size",
  "tmp_size",
  "step_timeout",
  "job_timeout",
  "fixed_locale",
  "fixed_timezone",
  "fixed_seed",
  "source_date_epoch",
] as const;
export type ControlName = (typeof CONTROLS)[number];

/** What a folder of the host is to a task: `system` holds programs, `proxy` the socket of a pull phase. */
export const MOUNT_KINDS = ["input", "data", "output", "proxy", "system"] as const;
export type MountKind = (typeof MOUNT_KINDS)[number];

const Path = Text.max(4_096).startsWith("/", "expected an absolute path");
const Texts = z.array(Text.max(4_096)).max(LIST_MAX);

/** A folder or file of the host that a task would see, after links were followed. */
export const MountFacts = z.strictObject({
  source: Path,
  target: Path,
  writable: z.boolean(),
  kind: z.enum(MOUNT_KINDS),
  /** Which secret place it is, lies in or holds; null when it was looked at and none was found. */
  secret: Text.nullable(),
  remote: z.boolean(),
  /** The uid that owns the source. */
  owner: z.int().min(0),
});
export type MountFacts = z.infer<typeof MountFacts>;

/** Limits without defaults: a limit that nobody set must be missed here, not filled in. */
const SetLimits = z.strictObject({
  memory_bytes: Limits.shape.memory_bytes.unwrap(),
  cpu_thousandths: Limits.shape.cpu_thousandths.unwrap(),
  pids: Limits.shape.pids.unwrap(),
  open_files: Limits.shape.open_files.unwrap(),
  file_bytes: Limits.shape.file_bytes.unwrap(),
  tmp_bytes: Limits.shape.tmp_bytes.unwrap(),
  data_bytes: Limits.shape.data_bytes.unwrap(),
  output_bytes: Limits.shape.output_bytes.unwrap(),
  output_files: Limits.shape.output_files.unwrap(),
  stream_bytes: Limits.shape.stream_bytes.unwrap(),
  step_seconds: Limits.shape.step_seconds.unwrap(),
  job_seconds: Limits.shape.job_seconds.unwrap(),
});

const flag = z.boolean();
const Controls = z.strictObject({
  network_none: flag,
  read_only_root: flag,
  no_capabilities: flag,
  no_new_privileges: flag,
  unprivileged_uid: flag,
  seccomp: flag,
  pids: flag,
  memory: flag,
  cpu: flag,
  open_files: flag,
  file_size: flag,
  tmp_size: flag,
  step_timeout: flag,
  job_timeout: flag,
  fixed_locale: flag,
  fixed_timezone: flag,
  fixed_seed: flag,
  source_date_epoch: flag,
} satisfies Record<ControlName, z.ZodBoolean>);

const Amount = z.int().min(0).max(AMOUNT_MAX);

const RUN = {
  task: Name,
  requester: Name,
  engine: z.enum(ENGINES),
  environment: z.strictObject({
    name: Name,
    digest: EnvironmentDigest.nullable(),
    /** What the engine would be told to start: `name@sha256:…`, `sha256:…`, or `host`. */
    reference: Text.max(1_024),
  }),
  argv: z
    .array(z.string())
    .min(1)
    .max(LIST_MAX)
    .refine(isShort, `expected at most ${ARGV_CHARS_MAX} characters together`)
    .refine(isWellFormed, "expected well-formed Unicode (no lone surrogates)"),
  env_names: Texts,
  network: Text.max(64),
  egress: z.strictObject({ mode: z.enum(["none", "pull-only", "model"]), hosts: Texts }),
  mounts: z.array(MountFacts).max(MOUNTS_MAX),
  controls: Controls,
  limits: SetLimits,
  same_node: z.boolean(),
  data_is_clean: z.boolean(),
  upload_commands: Texts,
  denied_licences: Texts,
  /** Thousandths of the currency's unit; null is unknown, and unknown is over. */
  budget: z.strictObject({
    spent_thousandths: Amount.nullable(),
    ceiling_thousandths: Amount.nullable(),
  }),
  critical_vulnerabilities: Texts,
};

/** The kinds of places an output can be delivered to, the forbidden ones too: they have to be named to be refused. */
export const SINKS = [
  "artifact-store",
  "package-registry",
  "vcs-release",
  "personal-remote",
  "arbitrary-url",
  "pastebin",
  "smtp",
  "chat-webhook",
] as const;

/** Where an output is to go once the run counts as done. */
const Delivery = z.strictObject({
  sink: z.enum(SINKS),
  destination: Text.max(4_096),
  /** Whether the operator's list of destinations has it. */
  listed: z.boolean(),
  by: z.enum(["agent", "task"]),
  encrypted: z.boolean(),
  logged: z.boolean(),
  signed: z.boolean(),
});

/** What the run left behind. */
const OutputFacts = z.strictObject({
  /** Files that hold a key, a token or an environment file. */
  secret_files: Texts,
  /** Files that a scanner flagged and no reviewer has cleared. */
  unreviewed_flags: Texts,
  /** Files without a classification beside them. */
  missing_sidecars: Texts,
  deliveries: z.array(Delivery).max(LIST_MAX),
});

/** Everything known before a task is created, or after it ran; the only thing policies judge. */
export const AdmissionFacts = z.discriminatedUnion("moment", [
  z.strictObject({ moment: z.literal("start"), ...RUN }),
  z.strictObject({ moment: z.literal("complete"), ...RUN, output: OutputFacts }),
]);
export type AdmissionFacts = z.infer<typeof AdmissionFacts>;

/** The name of a rule: its group, its number, and where one number has several parts, which: `X.1.memory`. */
export const RuleId = z
  .string()
  .max(64)
  .regex(/^[A-Z]\.[0-9]+(\.[a-z_]+)?$/, "expected a rule such as F.3 or X.1.memory");

/**
 * Leave to break one rule for a while. It comes from the record, signed by its approver, and never
 * from the tree that a task works on.
 */
export const PolicyException = z.strictObject({
  id: Name,
  rule: RuleId,
  reason: Text,
  /** Who answers for it while it lasts. */
  owner: Name,
  requester: Name,
  approver: Name,
  expires_at: z.iso.datetime(),
  /** How to get back to the rule. */
  rollback: Text,
  scope: z.strictObject({
    /** The tasks it is for; there is no exception for all of them. */
    tasks: z.array(Name).min(1).max(LIST_MAX),
    /** For rules about named things (vulnerabilities, licences, mounts, files): which of them. */
    names: Texts,
  }),
  /** Who looked for secrets in what it exposes, where the rule asks for that. */
  secret_review: Name.nullable(),
});
export type PolicyException = z.infer<typeof PolicyException>;

/** The answer to facts: which policies decided, and for a no, why and what would help. */
export const AdmissionDecision = z.strictObject({
  decision: z.enum(["allow", "deny"]),
  policy_digest: Digest,
  matched: z.array(Text),
  reasons: z.array(z.strictObject({ rule: Text, policy: Text, message: Text })),
  /** What could not be judged; anything in here is a no. */
  errors: z.array(Text),
  /** The exceptions without which the answer would be no. */
  exceptions: z.array(z.strictObject({ id: Name, rule: RuleId })),
});
export type AdmissionDecision = z.infer<typeof AdmissionDecision>;

/** A test of policies: facts, and what must be decided about them. */
export const AdmissionCase = z.strictObject({
  name: Text.max(200),
  facts: z.unknown(),
  exceptions: z.array(z.unknown()).max(100).default([]),
  /** What time it is in this case. */
  at: z.iso.datetime().default("2030-01-01T00:00:00Z"),
  expect: z.strictObject({
    decision: z.enum(["allow", "deny"]),
    /** The rules that must be among the reasons. */
    rules: z.array(Text.max(200)).max(100).default([]),
  }),
});
export type AdmissionCase = z.infer<typeof AdmissionCase>;

import * as z from "zod";
import { ENGINES, EnvironmentDigest, Limits } from "./execution.ts";
import { Digest, Name, Text } from "./id.ts";

/** Who may see a file, from everybody to named people; a later one is stricter. */
export const CLASSIFICATIONS = ["public", "internal", "restricted"] as const;
export const Classification = z.enum(CLASSIFICATIONS);
export type Classification = z.infer<typeof Classification>;

/** What lies beside an output file as `<file>.meta.json`. */
export const Sidecar = z.strictObject({ classification: Classification, pii: z.boolean() });
export type Sidecar = z.infer<typeof Sidecar>;

/** Where a file lies below its folder: names between slashes, none of them empty, `.` or `..`. */
const RelativePath = z
  .string()
  .min(1)
  .max(4_096)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "expected no control characters")
  .refine(
    (path) => path.split("/").every((name) => name !== "" && name !== "." && name !== ".."),
    "expected names between slashes, none empty, `.` or `..`",
  )
  .refine((path) => path.isWellFormed(), "expected well-formed Unicode");

const Bytes = z.int().min(0);
/** Milliseconds since 1970 that a date can say. */
const TimeMs = z.int().min(-8.64e15).max(8.64e15);

/** One file that a task left in its output, as it was when it was read. */
export const OutputFile = z.strictObject({
  path: RelativePath,
  bytes: Bytes,
  sha256: Digest,
  /** Only the permission bits. */
  mode: z.int().min(0).max(0o7777),
  mtime_ms: TimeMs,
  classification: Classification,
  pii: z.boolean(),
});
export type OutputFile = z.infer<typeof OutputFile>;

/** Wall time is for people; the monotonic clock tells order and length, and never goes back. */
const Moment = z.strictObject({
  wall: z.iso.datetime({ precision: 3 }),
  monotonic_us: z.int().min(0),
});

/** A variable that the task saw; a value that looks secret is withheld, not hashed: it may be short. */
const Variable = z.union([
  z.strictObject({ name: z.string().min(1).max(256), value: z.string().max(131_072) }),
  z.strictObject({ name: z.string().min(1).max(256), withheld: z.literal(true) }),
]);

/** What passed the proxy to and from one host with one method, summed up. */
const EgressLine = z.strictObject({
  domain: z.string().min(1).max(255),
  method: z.string().min(1).max(32),
  requests: z.int().min(0),
  refused: z.int().min(0),
  bytes_in: Bytes,
  bytes_out: Bytes,
});
export type EgressLine = z.infer<typeof EgressLine>;

const ObjectName = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "expected a git object id");

const LIST_MAX = 1_000;
const OUTPUT_FILES_MAX = 10_000_000;

const Fields = z.strictObject({
  v: z.literal(1),
  task_id: Name,
  environment: z.strictObject({
    name: Name,
    digest: EnvironmentDigest,
    /** For people: where it came from. Only the digest says what it was. */
    reference: Text,
  }),
  engine: z.enum(ENGINES),
  container_id: z.string().min(1).max(256),
  /** What installed the task's dependencies before it, while they could be pulled. */
  install: z.array(z.string().max(131_072)).min(1).max(LIST_MAX).nullable(),
  argv: z.array(z.string().max(131_072)).min(1).max(LIST_MAX),
  cwd: z.string().min(1).max(4_096),
  env: z.array(Variable).max(LIST_MAX),
  input: z.strictObject({
    commit: ObjectName.nullable(),
    tree: ObjectName.nullable(),
    /** Over the files that were laid out for the task, whether git knows them or not. */
    sha256: Digest,
  }),
  output: z.array(OutputFile).max(OUTPUT_FILES_MAX),
  /** What lay in the output and was not taken, with the reason; paths are spelt for people. */
  refused: z.array(z.strictObject({ path: Text, reason: Text })).max(LIST_MAX),
  started: Moment,
  ended: Moment,
  limits: Limits,
  /** What was looked at from inside before the task began. */
  controls: z
    .array(z.strictObject({ name: z.string().min(1).max(128), holds: z.boolean(), seen: Text }))
    .min(1)
    .max(LIST_MAX),
  seed: z.string().min(1).max(256),
  source_date_epoch: z.int().min(0),
  locale: z.string().min(1).max(64),
  timezone: z.string().min(1).max(64),
  egress_used: z.union([z.literal(false), z.literal("pull-only")]),
  egress: z.strictObject({
    lines: z.array(EgressLine).max(LIST_MAX),
    /** The whole log of the proxy, as an artifact. */
    log_sha256: Digest.nullable(),
  }),
  policy: z.strictObject({
    digest: Digest,
    decision: z.enum(["allow", "deny"]),
    /** The policies that decided, by name. */
    matched: z.array(z.string().min(1).max(256)).max(LIST_MAX),
    exceptions: z.array(z.string().min(1).max(256)).max(LIST_MAX),
  }),
  sbom: z.strictObject({ path: RelativePath, sha256: Digest }).nullable(),
  classification: Classification,
  pii: z.boolean(),
  exit: z.strictObject({
    code: z.int().min(0).max(255).nullable(),
    signal: z.string().max(32).nullable(),
    limit: z.string().max(64).nullable(),
  }),
});

/**
 * Everything that one run was and left behind. Beyond its shape it must agree with itself: paths in
 * byte order and each once, time that moves forward, a classification no lower than any file's, no
 * traffic where none is said to have been used, and no run under a control that did not hold.
 */
export const Manifest = Fields.superRefine((manifest, context) => {
  for (const { isWrong, path, message } of contradictions(manifest)) {
    if (isWrong) context.addIssue({ code: "custom", path: [path], message });
  }
});
export type Manifest = z.infer<typeof Fields>;

function contradictions(manifest: Manifest) {
  const { output, egress, started, ended, controls } = manifest;
  const rank = (name: Classification): number => CLASSIFICATIONS.indexOf(name);
  const hasTraffic = egress.lines.length > 0 || egress.log_sha256 !== null;
  return [
    {
      isWrong: !isInByteOrder(output.map(({ path }) => path)),
      path: "output",
      message: "expected paths in byte order, each once",
    },
    {
      isWrong: ended.monotonic_us < started.monotonic_us,
      path: "ended",
      message: "expected an end that is not before the start",
    },
    {
      isWrong: output.some((file) => rank(file.classification) > rank(manifest.classification)),
      path: "classification",
      message: "expected a classification no lower than that of any file",
    },
    {
      isWrong: !manifest.pii && output.some(({ pii }) => pii),
      path: "pii",
      message: "expected true, because a file has it",
    },
    {
      isWrong: manifest.egress_used === false && hasTraffic,
      path: "egress",
      message: "expected no traffic where none was used",
    },
    {
      isWrong: controls.some(({ holds }) => !holds),
      path: "controls",
      message: "expected every control to hold: a run without one never begins",
    },
  ];
}

/** UTF-8 bytes order like code points, which UTF-16 text does not. */
export function isInByteOrder(paths: readonly string[]): boolean {
  return paths.every((path, at) => {
    const before = paths[at - 1];
    return before === undefined || Buffer.compare(Buffer.from(before), Buffer.from(path)) < 0;
  });
}

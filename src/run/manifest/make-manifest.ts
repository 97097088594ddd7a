import { SwornError } from "../../base/index.ts";
import { redact, type SearchOptions, stricter } from "../../scan/classify/index.ts";
import type { EngineName, Limits } from "../../schema/execution.ts";
import {
  type Classification,
  type EgressLine,
  Manifest,
  type OutputFile,
} from "../../schema/manifest.ts";

/** A moment by both clocks. */
export interface Instant {
  readonly wallMs: number;
  readonly monotonicUs: number;
}

/** What is known about a run when it is over. */
export interface RunRecord {
  readonly taskId: string;
  readonly environment: Manifest["environment"];
  readonly engine: EngineName;
  readonly containerId: string;
  readonly install: readonly string[] | undefined;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** All that the task saw; nothing is inherited, so this is the allow-list. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: Manifest["input"];
  readonly output: readonly OutputFile[];
  readonly refused: Manifest["refused"];
  readonly started: Instant;
  readonly ended: Instant;
  readonly limits: Limits;
  readonly controls: readonly {
    readonly name: string;
    readonly holds: boolean;
    readonly seen: string;
  }[];
  readonly seed: string;
  readonly sourceDateEpoch: number;
  readonly locale: string;
  readonly timezone: string;
  /** Undefined when no pull phase was asked for. */
  readonly egress:
    | { readonly lines: readonly EgressLine[]; readonly logSha256: string | null }
    | undefined;
  readonly policy: Manifest["policy"];
  readonly sbom: Manifest["sbom"];
  /** The least classification of the whole, whatever its files are. */
  readonly baseline?: Classification;
  readonly exit: {
    readonly code: number | undefined;
    readonly signal: string | undefined;
    readonly limit: string | undefined;
  };
}

/** Names whose values are withheld whatever they look like. */
const SECRET_NAME =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|api_?key|private_?key|access_?key|auth)(?:_|$)/i;

/**
 * Puts the manifest of a run together. Commands and variables pass the secret scan first: a manifest
 * is kept and shown for years.
 *
 * @throws SwornError `INPUT_INVALID` when the record contradicts itself or exceeds the format.
 */
export function makeManifest(run: RunRecord, options: SearchOptions = {}): Manifest {
  const output = run.output.map(plainOutput).toSorted(byPath);
  const parsed = Manifest.safeParse({
    v: 1,
    task_id: run.taskId,
    environment: run.environment,
    engine: run.engine,
    container_id: run.containerId,
    install: run.install ?? null,
    argv: run.argv.map((word) => redact(word, options).text),
    cwd: run.cwd,
    env: toVariables(run.env, options),
    input: run.input,
    output,
    refused: run.refused,
    started: toMoment(run.started),
    ended: toMoment(run.ended),
    limits: run.limits,
    controls: run.controls.map(({ name, holds, seen }) => ({ name, holds, seen })),
    seed: run.seed,
    source_date_epoch: run.sourceDateEpoch,
    locale: run.locale,
    timezone: run.timezone,
    egress_used: run.egress === undefined ? false : "pull-only",
    egress: { lines: run.egress?.lines ?? [], log_sha256: run.egress?.logSha256 ?? null },
    policy: run.policy,
    sbom: run.sbom,
    classification: output.reduce<Classification>(
      (least, { classification }) => stricter(least, classification),
      run.baseline ?? "internal",
    ),
    pii: output.some(({ pii }) => pii),
    exit: {
      code: run.exit.code ?? null,
      signal: run.exit.signal ?? null,
      limit: run.exit.limit ?? null,
    },
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SwornError(
    "INPUT_INVALID",
    `the record of ${run.taskId} makes no manifest: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/** What else is known about a file, such as its findings, stays out. */
function plainOutput(file: OutputFile): OutputFile {
  const { path, bytes, sha256, mode, mtime_ms, classification, pii } = file;
  return { path, bytes, sha256, mode, mtime_ms, classification, pii };
}

function byPath(one: OutputFile, other: OutputFile): number {
  return Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));
}

function toVariables(env: Readonly<Record<string, string>>, options: SearchOptions) {
  return Object.keys(env)
    .toSorted()
    .map((name) => {
      const value = env[name] ?? "";
      const isSecret =
        (SECRET_NAME.test(name) && value !== "") || redact(value, options).redacted.length > 0;
      return isSecret ? { name, withheld: true } : { name, value };
    });
}

function toMoment({ wallMs, monotonicUs }: Instant) {
  return { wall: new Date(wallMs).toISOString(), monotonic_us: Math.floor(monotonicUs) };
}

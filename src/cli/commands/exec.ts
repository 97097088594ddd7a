import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { counted, SwornError } from "../../base/index.ts";
import { detectInFolder } from "../../flow/environment/environment-detect.ts";
import {
  hintsOf,
  rationaleOf,
  readTaskContext,
  taskNameOf,
} from "../../flow/environment/task-context.ts";
import { dryRun, exec } from "../../flow/exec/exec.ts";
import type { ExecOutcome } from "../../flow/exec/exec-outcome.ts";
import { reproduce } from "../../flow/exec/reproduce.ts";
import { writeOutput } from "../../flow/write-output.ts";
import type { Comparison } from "../../run/manifest/index.ts";
import { ENGINES, Limits, PULL_KINDS } from "../../schema/execution.ts";
import { Name } from "../../schema/index.ts";
import { WholeNumber } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";

const MIB = 1 << 20;

export const Arguments = z.strictObject({
  command: z.array(z.string()).default([]),
  reproduce: z.string().min(1).optional(),
  env: z.string().min(1).optional(),
  task: Name.optional(),
  context: z.string().min(1).optional(),
  "dry-run": z.boolean().default(false),
  engine: z.enum(ENGINES).default("bwrap"),
  pull: z.array(z.enum(PULL_KINDS)).default([]),
  pinned: z.boolean().default(false),
  install: z.boolean().default(false),
  out: z.string().min(1).optional(),
  report: z.string().min(1).optional(),
  seed: z.string().min(1).max(256).default("0"),
  timeout: WholeNumber.optional(),
  memory: WholeNumber.optional(),
  spend: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,3})?$/, "expected an amount such as 1.25")
    .default("0"),
});
type Arguments = z.infer<typeof Arguments>;

/** When a limit ended the task: what `timeout` and shells use for it. */
const ENDED_BY_LIMIT = 124;
/** What shells use after Ctrl-C. */
const INTERRUPTED = 130;
const DIFFERENCES_SHOWN = 20;

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  if ((args.command.length === 0) === (args.reproduce === undefined)) {
    throw new SwornError(
      "INPUT_INVALID",
      "expected a command behind two dashes (sworn exec -- make test), or --reproduce with a run",
    );
  }
  if (args.report !== undefined) assertWritable(resolve(io.cwd, args.report));
  const common = commonOf(args, io);
  if (args["dry-run"]) {
    if (args.reproduce !== undefined) {
      throw new SwornError("INPUT_INVALID", "--dry-run plans a command; it takes no --reproduce");
    }
    return plannedAnswer(await dryRun({ ...common, ...chosenBy(args, io), out: undefined }));
  }
  const { outcome, comparison } =
    args.reproduce === undefined
      ? { outcome: await exec({ ...common, ...chosenBy(args, io) }), comparison: undefined }
      : await reproduce(args.reproduce, openPlace(io), common, args.pull);
  const document = { ...documentOf(outcome), ...(comparison ? { comparison } : {}) };
  if (args.report !== undefined) {
    writeOutput(resolve(io.cwd, args.report), `${JSON.stringify(document, null, 2)}\n`);
  }
  io.err(wordsOf(outcome, args.out));
  if (comparison && !outcome.refused) return comparisonAnswer(comparison, document);
  const exit = outcome.refused === undefined ? 0 : 3;
  return { exit, ...passedOn(outcome), json: document, words: "" };
}

/** Before the run, which would otherwise have been for nothing. */
function assertWritable(report: string): void {
  if (existsSync(dirname(report))) return;
  throw new SwornError("NOT_FOUND", `--report: there is no folder ${dirname(report)}`);
}

function commonOf(args: Arguments, io: CommandIo) {
  return {
    folder: io.cwd,
    spendThousandths: Math.round(Number(args.spend) * 1_000),
    isPinned: args.pinned || args.install,
    out: args.out === undefined ? undefined : resolve(io.cwd, args.out),
    stdin: io.stdin,
    env: io.env,
    home: io.home,
    state: openPlace(io, "here").state,
    signal: io.signal,
    placeFor: (root: string) => openPlace({ ...io, cwd: root }, "here"),
    onStep: (words: string) => io.err(`sworn: ${words}\n`),
    onOutput: (stream: "stdout" | "stderr", chunk: Buffer) =>
      stream === "stdout" && !io.wantsJson ? io.out(chunk) : io.err(chunk.toString()),
  };
}

function chosenBy(args: Arguments, io: CommandIo) {
  const { command, engine, pull, seed, install } = args;
  if (install && pull.length > 0) {
    const what = "--install pulls what the lockfile pins and nothing else";
    throw new SwornError("INPUT_INVALID", `${what}; leave out --pull`);
  }
  const pulled = install ? (["npm"] as const) : pull;
  const chosen = { argv: command, engine, pull: pulled, installs: install, seed };
  return { ...chosen, limits: limitsOf(args), ...taskOf(args, io) };
}

/** What the task is called and runs in: as said, else as its context has it, else this machine. */
function taskOf({ env, task, context }: Arguments, { cwd }: CommandIo) {
  const said = context === undefined ? undefined : readTaskContext(resolve(cwd, context));
  const called = { task: task ?? (said && taskNameOf(said)), description: said?.description };
  if (env !== undefined) return { ...called, environment: env, rationale: `${env}, as asked for` };
  if (said === undefined) {
    return { ...called, environment: "host", rationale: "host: nothing else was asked for" };
  }
  const found = detectInFolder(cwd, hintsOf(said));
  return { ...called, environment: found.environment, rationale: rationaleOf(found) };
}

/** What would be done, and the rule that would refuse it. */
function plannedAnswer({ plan, refused }: Awaited<ReturnType<typeof dryRun>>): Answer {
  const { task, engine, environment, rationale, steps } = plan;
  const lines = [
    `Task ${task}, with ${engine} in ${environment.name}@${environment.digest}`,
    `Because: ${rationale}`,
    ...steps.map(({ what, argv }, at) => `${at + 1}. ${what}${argv ? `: ${argv.join(" ")}` : ""}`),
    refused === undefined
      ? "The policies would allow it."
      : `It would be refused by ${refused.rule}: ${refused.reason}`,
    "Nothing was started.",
  ];
  const json = { plan, ...(refused === undefined ? {} : { refused }) };
  return { exit: refused === undefined ? 0 : 3, json, words: lines.join("\n"), isAnswered: true };
}

function comparisonAnswer(comparison: Comparison, json: object): Answer {
  const { isReproduced, equalFiles, differences } = comparison;
  const lines = differences
    .slice(0, DIFFERENCES_SHOWN)
    .map(({ subject, kind, first, second }) => `${kind} ${subject}: ${first} then, ${second} now`);
  const words = isReproduced
    ? `Reproduced: ${counted(equalFiles, "file")} with the same hash, under the same conditions.`
    : [`Not reproduced: ${counted(differences.length, "difference")}.`, ...lines].join("\n");
  return { exit: isReproduced ? 0 : 4, json, words, isAnswered: true };
}

function limitsOf({ timeout, memory }: Arguments): Partial<Limits> {
  const limits = {
    ...(timeout === undefined ? {} : { step_seconds: timeout }),
    ...(memory === undefined ? {} : { memory_bytes: memory * MIB }),
  };
  const parsed = Limits.partial().safeParse(limits);
  if (parsed.success) return limits;
  throw new SwornError(
    "INPUT_INVALID",
    "expected --timeout 1 to 86400 (seconds) and --memory above 0 (MiB)",
  );
}

function passedOn({ refused, exit, limit }: ExecOutcome): { passed?: number } {
  if (refused !== undefined) return {};
  return { passed: exit ?? (limit === "cancelled" ? INTERRUPTED : ENDED_BY_LIMIT) };
}

function documentOf(outcome: ExecOutcome) {
  const { exit, refused, isWaiting, manifest, manifestPath, trace, egress } = outcome;
  return {
    exit: exit ?? null,
    ...(refused === undefined ? {} : { refused }),
    ...(isWaiting ? { waiting: true } : {}),
    manifest: manifest ?? null,
    manifest_path: manifestPath ?? null,
    trace,
    egress: egress.map(
      ({ host, method, bytesIn, bytesOut, startedAt, endedAt, verdict, rule }) => ({
        domain: host,
        method,
        bytes_in: bytesIn,
        bytes_out: bytesOut,
        started_at: new Date(startedAt).toISOString(),
        ended_at: new Date(endedAt).toISOString(),
        verdict,
        ...(verdict === "refused" && rule !== undefined ? { why: rule } : {}),
      }),
    ),
  };
}

/** What shells end with where there is no such program. */
const NOT_FOUND = 127;
/** Whoever has it in a home folder finds it in a shell, and not in here. */
const PROGRAMS =
  "127 means a program that was not found: a task finds those in this machine's /usr, or in what --env names, and nothing of a home folder";

function wordsOf(outcome: ExecOutcome, out: string | undefined): string {
  const { exit, refused, manifest, manifestPath, trace, limit } = outcome;
  const lines = [
    ...(exit === NOT_FOUND ? [PROGRAMS] : []),
    ...(refused === undefined ? [] : [`refused by ${refused.rule}: ${refused.reason}`]),
    ...(limit === undefined
      ? []
      : [limit === "cancelled" ? "the task was cancelled" : `the task was ended by ${limit}`]),
    ...(manifest === undefined
      ? []
      : [
          `${counted(manifest.output.length, "output file")}${out && !refused ? `, copied to ${out}` : ""}`,
        ]),
    ...notTaken(manifest),
    ...(outcome.egress.length === 0 ? [] : [egressWords(outcome)]),
    ...(manifestPath === undefined ? [] : [`manifest ${manifestPath}`]),
    `trace ${trace}`,
  ];
  return lines.map((line) => `sworn: ${line}\n`).join("");
}

/** What lay in the output and is no file of the task's own. */
function notTaken(manifest: ExecOutcome["manifest"]): string[] {
  const [first, ...more] = manifest?.refused ?? [];
  if (first === undefined) return [];
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  return [`not taken from the output: ${first.path} (${first.reason})${others}`];
}

function egressWords({ egress }: ExecOutcome): string {
  const no = egress.filter(({ verdict }) => verdict === "refused");
  const why = [...new Set(no.flatMap(({ rule }) => rule ?? []))].join(", ");
  const hosts = new Set(egress.map(({ host }) => host).filter((host) => host !== ""));
  return `${counted(egress.length, "request")} to ${[...hosts].join(", ") || "no host"}, ${no.length} refused${why === "" ? "" : ` (${why})`}`;
}

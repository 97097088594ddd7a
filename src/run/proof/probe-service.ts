import * as z from "zod";
import type { WorkProofOf } from "../../schema/work-proof.ts";
import { isMissing, undecided } from "./ended-words.ts";
import { PROBES } from "./probe-program.ts";
import type { ProofScene } from "./scene.ts";
import { runSealed, type SealedEnd } from "./sealed-run.ts";

const BODY_BYTES_MAX = 64 * 1024;
/** For building the sandbox and for the probe's own end. */
const SPARE_SECONDS = 10;

const Probed = z.object({
  started: z.boolean(),
  exit: z.union([z.number(), z.string()]).optional(),
  why: z.string(),
  status: z.int().optional(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  body: z.string().optional(),
});

/** What a service answered. */
export interface ServiceAnswer {
  /** Whether it answered at all. */
  readonly started: boolean;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  /** What it ended with, where it ended before it was asked to. */
  readonly exit: number | string | undefined;
  /** Why there is no answer. */
  readonly why: string;
  /** What it printed. */
  readonly printed: string;
}

/**
 * Starts a service of the commit in a sandbox that has nothing but its loopback, asks it from
 * inside, and ends it with all that it started.
 *
 * @returns words when the probe itself could not be made.
 * @throws SwornError when the sandbox cannot be made.
 */
export async function probeService(
  { start, port, path, status, body, seconds }: Omit<WorkProofOf<"http">, "kind">,
  scene: ProofScene,
): Promise<ServiceAnswer | string> {
  const asked = { start, port, path, status, body, ms: seconds * 1_000, bytes: BODY_BYTES_MAX };
  const wall = seconds + SPARE_SECONDS;
  for (const program of PROBES) {
    const argv = [...program, JSON.stringify(asked)];
    const end = await runSealed(
      { argv, commit: scene.after, base: scene.before, seconds: wall },
      scene,
    );
    if (!isMissing(end, argv)) return answerIn(end, argv);
  }
  return "the probe could not be made: the environment has neither node nor python3";
}

function answerIn(end: SealedEnd, argv: readonly string[]): ServiceAnswer | string {
  const why = undecided(end, argv);
  if (why !== undefined) return `the probe could not be made: ${why}`;
  const probed = parsed(end.stdout);
  if (probed === undefined) {
    return `the probe could not be made: it ended with ${end.code} and said nothing`;
  }
  return {
    ...probed,
    status: probed.status,
    headers: probed.headers ?? {},
    body: probed.body ?? "",
    exit: probed.exit,
    printed: end.stderr,
  };
}

function parsed(text: string): z.infer<typeof Probed> | undefined {
  try {
    const probed = Probed.safeParse(JSON.parse(text));
    return probed.success ? probed.data : undefined;
  } catch {
    // Somebody inside printed in its place: then nothing was said.
    return undefined;
  }
}

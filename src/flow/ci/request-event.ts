import * as z from "zod";
import { decodeUtf8, messageOf, parseJson, readPlainFile, SwornError } from "../../base/index.ts";

/** A forge's event says all of a pull request and its repository; a text has at most 65,536 characters. */
const EVENT_BYTES_MAX = 8 << 20;

const Commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, "expected a commit id");
const RepositoryName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9_.][\w.-]*$/, "expected owner/name");
const Side = z.object({
  sha: Commit,
  repo: z.object({ full_name: RepositoryName }).nullish(),
});

/** What of the event is looked at; a forge says far more. All of it is its sender's word. */
const Event = z.object({
  pull_request: z
    .object({
      number: z.int().min(1).max(1_000_000_000),
      body: z.string().nullish(),
      base: Side,
      head: Side,
    })
    .optional(),
});

/** The pull request that a workflow was started for. */
export interface RequestEvent {
  readonly number: number;
  readonly base: string;
  readonly head: string;
  readonly body: string;
  /** Whether the change comes from another repository; one that is gone counts as another. */
  readonly isFork: boolean;
}

/**
 * Reads the file in which a forge's workflow finds its event. Undefined when it is about no pull request.
 *
 * @throws SwornError `INPUT_INVALID`, `LIMIT_EXCEEDED` or `NOT_FOUND`.
 */
export function readRequestEvent(path: string): RequestEvent | undefined {
  const parsed = Event.safeParse(valueIn(path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "it";
    throw new SwornError("INPUT_INVALID", `the event in ${path}: ${where}: ${issue?.message}`);
  }
  const request = parsed.data.pull_request;
  if (request === undefined) return undefined;
  const { number, body, base, head } = request;
  const isFork = head.repo?.full_name === undefined || head.repo.full_name !== base.repo?.full_name;
  return { number, base: base.sha, head: head.sha, body: body ?? "", isFork };
}

function valueIn(path: string): unknown {
  try {
    return parseJson(decodeUtf8(readPlainFile(path, EVENT_BYTES_MAX)), EVENT_BYTES_MAX);
  } catch (cause) {
    const code = cause instanceof SwornError ? cause.code : "NOT_FOUND";
    throw new SwornError(code, `the event in ${path} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}

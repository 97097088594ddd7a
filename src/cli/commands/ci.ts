import { resolve } from "node:path";
import * as z from "zod";
import { decodeUtf8, messageOf, readPlainFile, SwornError } from "../../base/index.ts";
import { renderCiMarkdown, renderCiSarif, renderCiWords } from "../../deliver/ci/index.ts";
import { judgeRequest } from "../../flow/ci/judge-request.ts";
import { commentOf, type Posted, postTable } from "../../flow/ci/post-table.ts";
import { type RequestEvent, readRequestEvent } from "../../flow/ci/request-event.ts";
import type { CiReport } from "../../schema/ci-report.ts";
import { ForgeRepository, ForgeUrl } from "../../schema/config.ts";
import { WholeNumber } from "../arguments.ts";
import { CI_TOKEN, openPlace, workflowSurroundings } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";
import { readInput } from "../read-input.ts";
import { table } from "../table.ts";

const BODY_BYTES_MAX = 16 << 20;
const API = "https://api.github.com";
const HEAD = ["RESULT", "WHAT", "BASE", "HEAD", "OLD TESTS", "SHOWS"];

export const Arguments = z.strictObject({
  base: z.string().min(1).optional(),
  head: z.string().min(1).optional(),
  body: z.string().min(1).optional(),
  post: z.boolean().default(false),
  request: WholeNumber.pipe(z.int().min(1).max(1_000_000_000)).optional(),
  repository: ForgeRepository.optional(),
  api: ForgeUrl.optional(),
  markdown: z.boolean().default(false),
  sarif: z.boolean().default(false),
  strict: z.boolean().default(false),
});
type Arguments = z.infer<typeof Arguments>;

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const around = workflowSurroundings(io);
  const event = around.event === undefined ? undefined : readRequestEvent(around.event);
  const target = args.post ? targetOf(args, around, event) : undefined;
  const report = await judgeRequest({
    folder: io.cwd,
    sides: { base: args.base ?? event?.base, head: args.head ?? event?.head },
    number: args.request ?? event?.number,
    body: await bodyOf(args.body, event, io),
    ...{ env: around.env, home: io.home, signal: io.signal },
    placeFor: (root) => openPlace({ ...io, cwd: root }, "here"),
    onStep: (words) => io.err(`sworn: ${words}\n`),
  });
  const markdown = renderCiMarkdown(report);
  const comment = await commentOn(target, markdown, io);
  return answerOf(report, { args, markdown, comment, columns: io.columns });
}

/** What became of the comment: where it is, or why there is none. */
interface Commented {
  readonly posted?: Posted;
  readonly words: string;
  readonly isFailed?: boolean;
}

async function commentOn(
  target: ReturnType<typeof targetOf> | undefined,
  markdown: string,
  io: CommandIo,
): Promise<Commented | undefined> {
  if (target === undefined) return undefined;
  if (typeof target === "string") return { words: target };
  const onStep = (words: string) => io.err(`sworn: ${words}\n`);
  const forge = { ...target, tokenFrom: CI_TOKEN, signal: io.signal, onStep };
  try {
    const posted = await postTable(forge, target.number, commentOf(markdown));
    return { posted, words: `${posted.did}, ${posted.url}` };
  } catch (error) {
    // What was found out is told all the same.
    if (!(error instanceof SwornError)) throw error;
    return { words: `failed: ${error.message} [${error.code}]`, isFailed: true };
  }
}

/** Where the comment goes; a sentence when it cannot be written and that is nobody's mistake. */
function targetOf(
  args: Arguments,
  around: ReturnType<typeof workflowSurroundings>,
  event: RequestEvent | undefined,
) {
  const number = args.request ?? event?.number;
  if (number === undefined) throw missing("the pull request is not known", "--request");
  if (around.token === undefined) {
    // A forge gives no token to what strangers send, and that must not make their checks fail.
    if (event?.isFork) return `not posted: it comes from a fork, and ${CI_TOKEN} is not set`;
    throw missing("nobody is named to comment as", CI_TOKEN);
  }
  const repository = args.repository ?? around.repository;
  if (repository === undefined) throw missing("the repository is not known", "--repository");
  const api = args.api ?? around.api ?? API;
  for (const [shape, value] of [
    [ForgeRepository, repository],
    [ForgeUrl, api],
  ] as const) {
    const parsed = shape.safeParse(value);
    if (parsed.success) continue;
    const what = parsed.error.issues[0]?.message;
    throw new SwornError("INPUT_INVALID", `--post: ${what}, found ${JSON.stringify(value)}`);
  }
  return { api, repository, token: around.token, number };
}

function missing(what: string, name: string): SwornError {
  return new SwornError("INPUT_INVALID", `--post: ${what}; set ${name}`);
}

async function bodyOf(
  given: string | undefined,
  event: RequestEvent | undefined,
  io: CommandIo,
): Promise<string | undefined> {
  if (given === undefined) return event?.body;
  if (given === "-") return decodeUtf8(await readInput(io, BODY_BYTES_MAX, "a description"));
  const path = resolve(io.cwd, given);
  try {
    return decodeUtf8(readPlainFile(path, BODY_BYTES_MAX));
  } catch (cause) {
    const code = cause instanceof SwornError ? cause.code : "NOT_FOUND";
    throw new SwornError(code, `--body: ${given} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function answerOf(
  report: CiReport,
  told: {
    readonly args: Arguments;
    readonly markdown: string;
    readonly comment: Commented | undefined;
    readonly columns: number | undefined;
  },
): Answer {
  const { title, rows, rest } = renderCiWords(report);
  const { args, comment } = told;
  const lines = [
    title,
    ...(rows.length === 0 ? [] : ["", table(HEAD, rows, told.columns)]),
    "",
    rest,
    ...(comment === undefined ? [] : [`Comment: ${comment.words}`]),
  ];
  const exit = exitOf(report, args.strict);
  return {
    exit: exit === 0 && comment?.isFailed ? 1 : exit,
    json: { ...report, posted: comment?.posted ?? null },
    words: lines.join("\n"),
    isAnswered: true,
    ...(args.markdown ? { bytes: [Buffer.from(told.markdown)] } : {}),
    ...(args.sarif ? { bytes: [Buffer.from(`${JSON.stringify(renderCiSarif(report))}\n`)] } : {}),
  };
}

function exitOf({ status, checks, claims, weakened }: CiReport, isStrict: boolean): 0 | 2 | 3 {
  if (status === "fail") return 3;
  const isOpen =
    checks.some((one) => one.status === "unproven") ||
    claims.some((one) => one.verdict === "unverified") ||
    weakened.some((one) => one.severity === "weakened");
  if (isStrict && isOpen) return 3;
  return status === "undeclared" ? 2 : 0;
}

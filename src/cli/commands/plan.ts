import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { ensureFolder, SwornError, writeFileDurably } from "../../base/index.ts";
import { keepPlan } from "../../flow/plan/planner/keep-plan.ts";
import { planTask } from "../../flow/plan/planner/plan-task.ts";
import {
  assertAnswers,
  type GivenAnswers,
  readAnswers,
  type ScaffoldOptions,
  scaffold,
} from "../../flow/plan/planner/scaffold.ts";
import { Name } from "../../schema/index.ts";
import { agentProgress } from "../agent-words.ts";
import type { Answer, CommandIo } from "../io.ts";
import { lineAsker } from "../line-asker.ts";
import { JUDGE_FIRST, missingJudge } from "../missing-judge.ts";
import { outPath, PLAN } from "../out-file.ts";
import { notesOf, planAnswer } from "../plan-words.ts";
import { planningAnswer } from "../planning-words.ts";
import { openPlannerRunner } from "../resume-plannings.ts";
import { openRunPlace } from "../run-place.ts";
import { askScaffold } from "../scaffold-questions.ts";

export const Arguments = z.strictObject({
  request: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  task: Name.optional(),
  out: z.string().min(1).optional(),
  "no-design": z.string().min(1).optional(),
  from: z.string().min(1).optional(),
  force: z.boolean().default(false),
});
type Arguments = z.infer<typeof Arguments>;
type Given = Readonly<Record<string, unknown>>;

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  // Before anybody is asked anything: a plan that cannot be written is work for nothing.
  const out = args.out === undefined ? undefined : outPath(args.out, PLAN, args.force, io);
  return args.from === undefined ? plan(args, out, io) : fromAnswers(args, args.from, out, io);
}

async function plan(args: Arguments, out: string | undefined, io: CommandIo): Promise<Answer> {
  const { request, agent, task, "no-design": noDesign } = args;
  if (request === undefined) {
    throw new SwornError("INPUT_INVALID", "expected what is to be planned, in words, or --from");
  }
  const { signal } = io;
  const runner = await openPlannerRunner(io);
  const { onEvent, onStep, end } = agentProgress(io, "planner");
  try {
    const asked = { request, agent, task, noDesign, signal, onEvent, onStep };
    const outcome = await planTask(asked, runner).finally(end);
    const path = outcome.plan && keepPlan(outcome.plan, outcome, runner.scene.place, out);
    return planningAnswer(
      outcome,
      path,
      missingJudge(outcome.report, runner.scene.repository.root),
    );
  } finally {
    await runner.close();
  }
}

/** A plan from its author's own answers: from a file, and for the rest from whoever types. */
async function fromAnswers(
  { request, task }: Arguments,
  file: string,
  out: string | undefined,
  io: CommandIo,
): Promise<Answer> {
  const place = await openRunPlace(io);
  const { answers, keptAs } = await takeAnswers(request, file, place.store, io);
  const root = resolve(place.store, "..");
  const made = scaffoldOf(answers, { request, task, root }, keptAs);
  const kept = keepPlan(made.plan, made, place, out);
  const lacks = missingJudge(made.report, root);
  const answer = planAnswer(made.report, "solo", lacks);
  const told = { notes: notesOf(made.report, lacks), task: made.task, path: kept };
  const json = { ...(answer.json as object), ...told, plan: made.plan };
  const next = made.report.ready
    ? `Next: ${lacks === undefined ? "" : `${JUDGE_FIRST} `}sworn work ${kept}`
    : "Next: put right what is named above, and make it again";
  const lines = [`plan ${kept}`, ...(keptAs === undefined ? [] : [`answers ${keptAs}`]), next];
  return { ...answer, json, words: [answer.words, ...lines].join("\n") };
}

/** What a file answers, and what is typed for the rest, which is kept. */
async function takeAnswers(
  request: string | undefined,
  file: string,
  store: string,
  io: CommandIo,
): Promise<{ answers: Given; keptAs: string | undefined }> {
  const path = resolve(io.cwd, file);
  const isAsked = file === "-" || (io.isTerminal && io.stdin === undefined);
  const read = file === "-" ? undefined : readAnswers(path);
  if (!isAsked && read === undefined) {
    throw new SwornError(
      "NOT_FOUND",
      `there is no file ${file}; expected answers, or "-" to be asked`,
    );
  }
  const given = asRecord(read?.value ?? {});
  if (!isAsked) return { answers: given, keptAs: undefined };
  assertAnswers(given);
  const known = request === undefined ? given : { request, ...given };
  const answers = await askScaffold(known, lineAsker(io));
  const isProse = read !== undefined && read.with === undefined;
  const place = file === "-" || isProse ? join(store, "plan-answers.json") : path;
  return { answers, keptAs: keepAnswers(answers, given, { path: place, with: read?.with }) };
}

/**
 * So that the same plan can be made again, and changed, whatever comes of it now. A file that was not
 * completed stays as its author wrote it.
 *
 * @returns where they are, if anything was written
 */
function keepAnswers(
  answers: Given,
  given: Given,
  file: { readonly path: string; readonly with: GivenAnswers["with"] },
): string | undefined {
  const text = `${JSON.stringify(answers, undefined, 2)}\n`;
  if (file.with !== undefined && isDeepStrictEqual(answers, given)) return undefined;
  ensureFolder(dirname(file.path));
  writeFileDurably(file.path, file.with?.(answers) ?? text);
  return file.path;
}

function scaffoldOf(answers: Given, options: ScaffoldOptions, keptAs: string | undefined) {
  try {
    return scaffold(answers, options);
  } catch (error) {
    if (keptAs === undefined || !(error instanceof SwornError)) throw error;
    const go = `what you answered is in ${keptAs}; put it right there, then sworn plan --from ${keptAs}`;
    throw new SwornError(error.code, `${error.message}; ${go}`, { cause: error });
  }
}

function asRecord(given: unknown): Given {
  const isRecord = typeof given === "object" && given !== null && !Array.isArray(given);
  if (isRecord) return given as Given;
  throw new SwornError("INPUT_INVALID", "the answers: expected names with their answers");
}

import * as z from "zod";
import { checkPlanAgain } from "../../flow/plan/task-plan.ts";
import { answer, questionsOf, takeDefaults } from "../../flow/talk/ask.ts";
import { type Bus, isRefused, OPERATOR } from "../../flow/talk/bus.ts";
import type { Answer, Io } from "../io.ts";
import { planDocument, planWords } from "../plan-words.ts";
import { table } from "../table.ts";
import { onKnownBus, refusedAnswer, scope, textOf, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  ...scope,
  question: z.string().min(1).optional(),
  text: z.string().min(1).optional(),
  file: z.string().min(1).optional(),
  overdue: z.boolean().default(false),
});

/** Without a question it shows those that are open. */
export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { question } = args;
  const where = await whereOf(args, io);
  if (question === undefined) return onKnownBus(where, (on) => openQuestions(on, args, io));
  const text = await textOf(args, io);
  return onKnownBus(where, async (on) => {
    const said = await answer(on, OPERATOR, question, text);
    if (isRefused(said)) return refusedAnswer(said);
    const { json, words } = await judgedAgain(on, args.task);
    const told = [`Answered ${question} (${said.id}).`, ...words];
    return { exit: 0, json: { ...said, ...json }, words: told.join("\n") };
  });
}

/** An answer can open the gate: the plan of the task, where it has one, is judged once more. */
async function judgedAgain(
  on: Bus,
  task: string | undefined,
): Promise<{ json: object; words: string[] }> {
  const again = await checkPlanAgain(on);
  if (again === undefined) return { json: {}, words: [] };
  if (isRefused(again)) return { json: {}, words: [refusedAnswer(again).words] };
  const { report } = again;
  // The file itself still has its questions: only the task's board has the answers.
  const isWork = report.ready && task !== undefined;
  const next = isWork ? [`Next: sworn work <the plan's file> --task ${task}`] : [];
  return { json: { plan: planDocument(report) }, words: [planWords(report, "team"), ...next] };
}

/** Looking changes nothing: defaults are taken when that is asked for. */
async function openQuestions(
  on: Bus,
  { overdue, task }: z.infer<typeof Arguments>,
  { columns }: Io,
): Promise<Answer> {
  const taken = overdue ? await takeDefaults(on) : [];
  const judged = taken.length > 0 ? await judgedAgain(on, task) : { json: {}, words: [] };
  const questions = questionsOf(on).filter(({ state }) => state !== "answered");
  const rows = questions.map((one) => [
    one.question_id,
    one.by,
    one.state === "overdue" ? `${one.deadline} (over)` : (one.deadline ?? ""),
    one.default.replaceAll("\n", " "),
    one.text.replaceAll("\n", " "),
  ]);
  const words = [
    ...taken.map((id) => `nobody answered ${id} in time: its default holds`),
    ...judged.words,
    rows.length === 0
      ? "no open questions"
      : table(["QUESTION", "BY", "DEADLINE", "DEFAULT", "TEXT"], rows, columns),
  ];
  return { exit: 0, json: { questions, taken, ...judged.json }, words: words.join("\n") };
}

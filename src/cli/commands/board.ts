import * as z from "zod";
import { takeDefaults } from "../../flow/talk/ask.ts";
import { isRefused, OPERATOR } from "../../flow/talk/bus.ts";
import { lockBoard, readBoard } from "../../flow/talk/task-board.ts";
import type { Board } from "../../view/index.ts";
import type { Answer, Io } from "../io.ts";
import { onKnownBus, refusedAnswer, scope, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({ ...scope, lock: z.boolean().default(false) });

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  return onKnownBus(await whereOf(args, io), async (on): Promise<Answer> => {
    // A plan is made from what holds; looking alone changes nothing.
    if (args.lock) await takeDefaults(on);
    const locked = args.lock ? await lockBoard(on, OPERATOR) : undefined;
    if (locked !== undefined && isRefused(locked)) return refusedAnswer(locked);
    const board = readBoard(on);
    return { exit: 0, json: { trace: on.trace, ...board }, words: boardWords(board).join("\n") };
  });
}

function boardWords(board: Board): string[] {
  const { questions, facts, runs, agents, digest, lock, handover } = board;
  const firstLine = (text: string) => text.split("\n")[0] ?? "";
  return [
    `board ${digest}`,
    lock === null
      ? "no plan was made from it yet"
      : `${lock.holds ? "as it was" : "CHANGED"} since ${lock.by} planned with ${lock.digest.slice(0, 16)}… (${lock.id})`,
    ...(handover === null
      ? []
      : [
          `plan ${handover.plan.slice(0, 16)}…: ${handover.handoff_ready ? "ready" : "blocked"}, ${handover.content_locked ? "content locked" : "content free"}`,
        ]),
    ...questions.map((one) => `question ${one.question_id} (${one.state}): ${firstLine(one.text)}`),
    ...facts.map((one) => `fact ${one.fact_id}: ${firstLine(one.title)}`),
    ...runs.map((one) => `run ${one.run_id} of ${one.agent}: ${one.status}`),
    ...agents.map((one) => `${one.agent}: ${firstLine(one.text)} (${one.kind}, ${one.id})`),
  ];
}

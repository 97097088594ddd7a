import * as z from "zod";
import { ask, assertAhead } from "../../flow/talk/ask.ts";
import { isRefused, OPERATOR } from "../../flow/talk/bus.ts";
import { askedWords, toMoment } from "../../inside/index.ts";
import { Name, Text } from "../../schema/index.ts";
import { Deadline, WholeNumber } from "../arguments.ts";
import type { Answer, Io } from "../io.ts";
import { onBus, refusedAnswer, scope, textOf, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  ...scope,
  text: z.string().min(1).optional(),
  file: z.string().min(1).optional(),
  default: Text,
  id: Name.optional(),
  blocks: Name.optional(),
  tier: WholeNumber.pipe(z.int().min(1).max(3)).optional(),
  deadline: Deadline.optional(),
  beats: WholeNumber.pipe(z.int().min(1).max(1_000)).optional(),
  to: z.array(Name).max(20).default([]),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { blocks, tier, to, id, beats } = args;
  const where = await whereOf(args, io);
  const text = await textOf(args, io);
  const nowMs = where.place.clock();
  const deadline = toMoment(args.deadline, nowMs);
  assertAhead(deadline, nowMs);
  return onBus(where, async (on) => {
    const when = { deadline, beats };
    const asking = { text, default: args.default, question_id: id, blocks, tier, ...when, to };
    const said = await ask(on, OPERATOR, asking);
    if (isRefused(said)) return refusedAnswer(said);
    const words = askedWords(said, deadline);
    return { exit: 0, json: said, words };
  });
}

import * as z from "zod";
import { isRefused, OPERATOR } from "../../flow/talk/bus.ts";
import { addFact } from "../../flow/talk/facts.ts";
import { busWords } from "../../inside/index.ts";
import { Name, Text } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { onBus, refusedAnswer, scope, textOf, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  ...scope,
  title: Text.max(256),
  text: z.string().min(1).optional(),
  file: z.string().min(1).optional(),
  id: Name.optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { title, id } = args;
  const where = await whereOf(args, io);
  const text = await textOf(args, io);
  return onBus(where, async (on) => {
    const said = await addFact(on, OPERATOR, { title, text, fact_id: id });
    if (isRefused(said)) return refusedAnswer(said);
    const words = `Recorded the fact ${said.fact_id} (${said.id}) on ${busWords(on)}.`;
    return { exit: 0, json: said, words };
  });
}

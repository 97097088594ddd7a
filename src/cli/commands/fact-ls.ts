import * as z from "zod";
import { factsOf, toldSuggestion } from "../../flow/talk/facts.ts";
import { factWords } from "../../inside/index.ts";
import type { Answer, Io } from "../io.ts";
import { onKnownBus, scope, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject(scope);

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  return onKnownBus(await whereOf(args, io), (on) => {
    const { facts, suggested } = factsOf(on);
    const words = factWords(
      facts.map(({ fact_id, by, at, title }) => ({ id: fact_id, agent: by, at, title })),
      suggested.map(toldSuggestion),
    );
    return { exit: 0, json: { trace: on.trace, facts, suggested }, words };
  });
}

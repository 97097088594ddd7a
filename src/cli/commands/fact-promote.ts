import * as z from "zod";
import { counted } from "../../base/index.ts";
import { Bus, isRefused, OPERATOR } from "../../flow/talk/bus.ts";
import { promoteFact, propagateFacts } from "../../flow/talk/facts.ts";
import { Name } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { openRunPlace } from "../run-place.ts";
import { onBus, refusedAnswer } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  task: Name,
  fact: z.string().min(1).optional(),
});

/** Without a fact it brings all facts of the task to the project. */
export async function run({ task, fact }: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const from = Bus.open({ place, task });
  try {
    return await onBus({ place }, (to) =>
      fact === undefined ? promoteAll(from, to) : promoteOne(from, to, fact),
    );
  } finally {
    from.close();
  }
}

async function promoteOne(from: Bus, to: Bus, fact: string): Promise<Answer> {
  const said = await promoteFact(from, to, OPERATOR, fact);
  if (isRefused(said)) return refusedAnswer(said);
  return { exit: 0, json: said, words: `The project has it as ${said.fact_id} (${said.id}).` };
}

async function promoteAll(from: Bus, to: Bus): Promise<Answer> {
  const promoted = await propagateFacts(from, to, OPERATOR);
  if (isRefused(promoted)) return refusedAnswer(promoted);
  const words = `${counted(promoted.length, "fact")} promoted${promoted.length === 0 ? ": the project has all of them" : `: ${promoted.join(", ")}`}.`;
  return { exit: 0, json: { trace: to.trace, promoted }, words };
}

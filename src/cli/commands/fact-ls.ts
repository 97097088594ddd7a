import * as z from "zod";
import { factsOf } from "../../flow/talk/facts.ts";
import type { Answer, Io } from "../io.ts";
import { table } from "../table.ts";
import { onKnownBus, scope, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject(scope);

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  return onKnownBus(await whereOf(args, io), (on) => {
    const { facts, suggested } = factsOf(on);
    const rows = [
      ...facts.map(({ fact_id, by, at, title }) => [fact_id, by, at, title]),
      ...suggested.map(({ id, agent, at, meta, text }) => [
        id,
        agent,
        at,
        `(suggested) ${meta?.["title"] ?? text.split("\n")[0]}`,
      ]),
    ];
    const words = rows.length === 0 ? "no facts" : table(["FACT", "BY", "AT", "TITLE"], rows);
    return { exit: 0, json: { trace: on.trace, facts, suggested }, words };
  });
}

import * as z from "zod";
import { counted } from "../../base/index.ts";
import { type RecoverOutcome, recover } from "../../flow/trace/recover.ts";
import { TraceArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  trace: TraceArgument,
  "accept-loss": z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const outcome = await recover(place, place.find(args.trace), args["accept-loss"]);
  const isDone = outcome.kind === "sound" || outcome.kind === "recovered";
  return { exit: isDone ? 0 : 4, json: outcome, words: toWords(outcome) };
}

function toWords({ kind, trace, entries, state, next, problems, kept }: RecoverOutcome): string {
  if (kind === "needs-consent") {
    return [
      `${trace} is damaged; nothing was changed:`,
      ...problems.map((problem) => `  ${problem}`),
      `Restore it from a backup, or go on without what is lost: "sworn trace recover ${trace} --accept-loss"`,
    ].join("\n");
  }
  if (kind === "needs-copies") {
    return [
      `The entries of ${trace} are whole, but artifacts they cite are lost:`,
      ...problems.map((problem) => `  ${problem}`),
      "Nothing here can bring them back; put copies of these files in their place.",
    ].join("\n");
  }
  const aside = kept === undefined ? "" : `; the damaged files are in ${kept}`;
  const what =
    kind === "sound"
      ? `${trace} is sound; nothing to recover.`
      : `${trace} goes on, the loss is recorded${aside}.`;
  const after = next.length > 0 ? `Next may come: ${next.join(", ")}` : "Nothing can follow.";
  return `${what}\nIt is ${state} with ${counted(entries, "entry")}. ${after}`;
}

import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import type { Wanted } from "../../flow/review/subject.ts";
import { FailOn, WholeNumber } from "../arguments.ts";
import type { Answer, CommandIo } from "../io.ts";
import { reviewAnswer } from "../review-answer.ts";

export const Arguments = z.strictObject({
  range: z.string().min(1).optional(),
  staged: z.boolean().default(false),
  pr: WholeNumber.optional(),
  with: z.array(z.string().min(1)).default([]),
  "fail-on": FailOn,
  sarif: z.boolean().default(false),
  annotations: z.boolean().default(false),
  baseline: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  return reviewAnswer({ kind: "review", wanted: wantedOf(args) }, args, io);
}

function wantedOf({ range, staged, pr }: z.infer<typeof Arguments>): Wanted {
  const asked = [range !== undefined, staged, pr !== undefined].filter(Boolean).length;
  if (asked > 1) {
    throw new SwornError("INPUT_INVALID", "expected one of a range, --staged and --pr, found more");
  }
  if (staged) return { kind: "staged" };
  if (pr !== undefined) return { kind: "pull-request", number: pr };
  return { kind: "change", range };
}

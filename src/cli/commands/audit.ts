import * as z from "zod";
import { FailOn } from "../arguments.ts";
import type { Answer, CommandIo } from "../io.ts";
import { reviewAnswer } from "../review-answer.ts";

export const Arguments = z.strictObject({
  path: z.string().min(1).optional(),
  at: z.string().min(1).optional(),
  with: z.array(z.string().min(1)).default([]),
  "fail-on": FailOn,
  sarif: z.boolean().default(false),
  annotations: z.boolean().default(false),
  baseline: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const wanted = { kind: "tree", at: args.at, under: args.path } as const;
  return reviewAnswer({ kind: "audit", wanted }, args, io);
}

import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { openContext } from "../../flow/context/open-context.ts";
import { renderContext } from "../../flow/context/render-context.ts";
import { Name } from "../../schema/index.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

const PARTS_MAX = 50;

export const Arguments = z.strictObject({
  parts: z.array(z.string().min(1)).default([]),
  task: Name.optional(),
  select: z.string().min(1).optional(),
  full: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const { task, full } = args;
  const place = await openRunPlace(io);
  const files = { repository: io.cwd, env: io.env, signal: io.signal };
  const scope = full ? "full" : "brief";
  const context = await openContext({ place, task, files, selectors: selectorsOf(args), scope });
  const isMissing = context.parts.some((part) => part.isMissing);
  return {
    exit: isMissing ? 2 : 0,
    json: context,
    words: renderContext(context).trimEnd(),
    isAnswered: true,
  };
}

function selectorsOf({ parts, select }: z.infer<typeof Arguments>): readonly string[] {
  const named = (select ?? "").split(",").filter((one) => one !== "");
  const all = [...parts, ...named];
  if (all.length > PARTS_MAX) {
    throw new SwornError("INPUT_INVALID", `expected at most ${PARTS_MAX} parts at once`);
  }
  return all.length === 0 ? ["summary", "decisions"] : all;
}

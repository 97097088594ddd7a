import { resolve } from "node:path";
import * as z from "zod";
import { detectInFolder } from "../../flow/environment/environment-detect.ts";
import { hintsOf, rationaleOf, readTaskContext } from "../../flow/environment/task-context.ts";
import type { Answer, Io } from "../io.ts";

const Hint = z.string().max(65_536).optional();

export const Arguments = z.strictObject({
  folder: z.string().min(1).default("."),
  language: Hint,
  model: Hint,
  url: Hint,
  description: Hint,
  task: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { folder, language, model, url, description, task } = args;
  const said = task === undefined ? undefined : hintsOf(readTaskContext(resolve(io.cwd, task)));
  // What is said on the command line is said last.
  const hints = {
    language: language ?? said?.language,
    model,
    repositoryUrl: url ?? said?.repositoryUrl,
    description: description ?? said?.description,
  };
  const found = detectInFolder(resolve(io.cwd, folder), hints);
  return { exit: 0, json: found, words: rationaleOf(found) };
}

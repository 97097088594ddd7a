import { resolve } from "node:path";
import * as z from "zod";
import { detectInFolder } from "../../flow/environment-detect.ts";
import type { Answer, Io } from "../io.ts";

const Hint = z.string().max(65_536).optional();

export const Arguments = z.strictObject({
  folder: z.string().min(1).default("."),
  language: Hint,
  model: Hint,
  url: Hint,
  description: Hint,
});

/** What each source of a hint is called in a sentence. */
const SOURCES = {
  language: "the stated language",
  model: "the model's name",
  repository_url: "the repository's address",
  description: "the description",
  files: "the repository's files",
  none: "nothing",
} as const;

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { folder, language, model, url, description } = args;
  const hints = { language, model, repositoryUrl: url, description };
  const found = detectInFolder(resolve(io.cwd, folder), hints);
  const { environment, because, seen } = found;
  const words =
    because === "none"
      ? `${environment}: nothing speaks for one language alone`
      : `${environment}, by ${SOURCES[because]}: ${JSON.stringify(seen)}`;
  return { exit: 0, json: found, words };
}

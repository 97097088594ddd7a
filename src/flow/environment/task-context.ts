import { decodeUtf8, messageOf, parseJson, readPlainFile, SwornError } from "../../base/index.ts";
import type { Detection, EnvironmentHints } from "../../sandbox/environment/index.ts";
import { TaskContext } from "../../schema/execution.ts";
import { issueWords } from "../words/issue-words.ts";

const CONTEXT_BYTES_MAX = 262_144;

/** What each source of a hint is called in a sentence. */
const SOURCES = {
  language: "the stated language",
  model: "the model's name",
  repository_url: "the repository's address",
  description: "the description",
  files: "the repository's files",
  none: "nothing",
} as const;

/**
 * Reads a task's context from a file. Everything unknown in it is an error.
 *
 * @throws SwornError `INPUT_INVALID`, naming the place.
 */
export function readTaskContext(path: string): TaskContext {
  let input: unknown;
  try {
    const text = decodeUtf8(readPlainFile(path, CONTEXT_BYTES_MAX, "refuse"));
    input = parseJson(text, CONTEXT_BYTES_MAX);
  } catch (cause) {
    const message = `the task context ${path} cannot be read: ${messageOf(cause)}`;
    throw new SwornError("INPUT_INVALID", message, { cause });
  }
  const parsed = TaskContext.safeParse(input);
  if (parsed.success) return parsed.data;
  const wrong = issueWords(parsed.error.issues, { shape: TaskContext, input });
  throw new SwornError("INPUT_INVALID", `the task context ${path}: ${wrong}`);
}

/** The name under which a task is admitted and excepted. */
export function taskNameOf({ task_id }: TaskContext): string {
  return task_id.toLowerCase();
}

/** What a context says about the environment it needs. */
export function hintsOf({ description, context }: TaskContext): Omit<EnvironmentHints, "files"> {
  return { language: context.language, repositoryUrl: context.repository_url, description };
}

/** Why an environment was chosen, in words. */
export function rationaleOf({ environment, because, seen }: Detection): string {
  return because === "none"
    ? `${environment}: nothing speaks for one language alone`
    : `${environment}, by ${SOURCES[because]}: ${JSON.stringify(seen)}`;
}

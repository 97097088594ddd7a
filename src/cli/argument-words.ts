import type * as z from "zod";
import { valueAt } from "../flow/words/expected-words.ts";
import { issueWords } from "../flow/words/issue-words.ts";
import type { Command } from "./command.ts";

/** What is wrong with the arguments of a command, each under the name a person gives it. */
export function argumentWords(
  command: Command,
  shape: z.ZodType,
  given: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
): string {
  const nameOf = (path: readonly PropertyKey[]) => {
    const name = String(path[0]);
    return command.options?.[name] ? `--${name}` : name;
  };
  const aboutOf = (name: string) =>
    command.notes?.[name] ?? command.positionals?.find((one) => one.name === name)?.about;
  return issues
    .map((found) => {
      const issue = { ...found, path: wordAt(given, found.path) };
      const name = String(issue.path[0]);
      const value = given[name];
      if (value === undefined) return `${nameOf(issue.path)} is missing: expected ${aboutOf(name)}`;
      if (value === "") return `${nameOf(issue.path)} is empty: expected ${aboutOf(name)}`;
      return issueWords([issue], { shape, input: given, nameOf });
    })
    .join("; ");
}

/** The place of the word itself, where what is wrong is in something that was made of it: `MSG-1:answers`. */
function wordAt(
  given: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
): PropertyKey[] {
  const end = path.findIndex((_, at) => typeof valueAt(given, path.slice(0, at)) === "string");
  return end < 0 ? [...path] : path.slice(0, end);
}

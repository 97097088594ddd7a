import type * as z from "zod";
import { issueWords } from "../flow/issue-words.ts";
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
    .map((issue) => {
      const name = String(issue.path[0]);
      const value = given[name];
      if (value === undefined) return `${nameOf(issue.path)} is missing: expected ${aboutOf(name)}`;
      if (value === "") return `${nameOf(issue.path)} is empty: expected ${aboutOf(name)}`;
      return issueWords([issue], { shape, input: given, nameOf });
    })
    .join("; ");
}

import { parseArgs } from "node:util";
import type { Command } from "./command.ts";

/**
 * Parts a command line where somebody else's begins: at two dashes, or at the first word that is no
 * option of ours. What stands there is handed on as it is.
 */
export function partWords(
  { options, passesRest }: Command,
  args: readonly string[],
): { readonly own: readonly string[]; readonly rest: readonly string[] } {
  if (!passesRest) return { own: args, rest: [] };
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...options, json: { type: "boolean" } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const first = tokens.find(({ kind }) => kind !== "option");
  if (first === undefined) return { own: args, rest: [] };
  const behind = first.kind === "option-terminator" ? first.index + 1 : first.index;
  return { own: args.slice(0, first.index), rest: args.slice(behind) };
}

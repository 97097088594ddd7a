import * as z from "zod";
import { type HookPlace, listHooks } from "../../flow/hook/hooks.ts";
import type { Answer, Io } from "../io.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({});

const STATES: Readonly<Record<HookPlace["state"], string>> = {
  current: "installed",
  older: "older: install it again",
  other: "somebody else's",
  none: "-",
  unreadable: "unreadable",
};

export async function run(_: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const hooks = await listHooks({ folder: io.cwd, home: io.home, env: io.env });
  const rows = hooks.map(({ kind, scope, state, path }) => [kind, scope, STATES[state], path]);
  const words = [
    table(["HOOK", "FOR", "STATE", "PLACE"], rows, io.columns),
    ...hooks.flatMap(({ why }) => (why === undefined ? [] : [why])),
  ];
  return { exit: 0, json: { hooks }, words: words.join("\n") };
}

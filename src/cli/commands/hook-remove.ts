import * as z from "zod";
import { HOOK_KINDS } from "../../flow/hook/hook-lines.ts";
import { removeHook } from "../../flow/hook/hooks.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  kind: z.enum(HOOK_KINDS),
  user: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { kind, user: isUser } = args;
  const { cwd: folder, home, env } = io;
  const { path, was } = await removeHook({ kind, isUser, folder, home, env });
  const words = was ? `The hook is gone from ${path}.` : `There is no hook of ours in ${path}.`;
  return { exit: 0, json: { kind, path, removed: was }, words };
}

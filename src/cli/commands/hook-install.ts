import * as z from "zod";
import { HOOK_KINDS } from "../../flow/hook/hook-lines.ts";
import { type InstalledHook, installHook } from "../../flow/hook/hooks.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  kind: z.enum(HOOK_KINDS),
  user: z.boolean().default(false),
});

const CHANGES: Readonly<Record<InstalledHook["change"], string>> = {
  added: "The hook is in",
  chained: "The hook is in front of the one that was there, in",
  renewed: "An older hook of ours was renewed in",
  there: "The hook was there already, in",
};

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { kind, user: isUser } = args;
  const { cwd: folder, home, env } = io;
  const { path, change } = await installHook({ kind, isUser, folder, home, env });
  const words = [
    `${CHANGES[change]} ${path}.`,
    ...(kind === "codex" ? ["codex runs it once you have trusted it: type /hooks in codex."] : []),
  ];
  return { exit: 0, json: { kind, path, change }, words: words.join("\n") };
}

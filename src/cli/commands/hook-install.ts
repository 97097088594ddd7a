import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
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
  chained: "The hook is beside the one that was there, which runs first, in",
  renewed: "An older hook of ours was renewed in",
  there: "The hook was there already, in",
};

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { kind, user: isUser } = args;
  const { cwd: folder, home, env } = io;
  const { path, change } = await installHook({ kind, isUser, folder, home, env });
  const words = [
    `${CHANGES[change]} ${path}.`,
    ...(isOnPath(env)
      ? []
      : ["sworn is not on your PATH, and the hook needs it there: npm link puts it there."]),
    ...(kind === "codex" ? ["codex runs it once you have trusted it: type /hooks in codex."] : []),
  ];
  return { exit: 0, json: { kind, path, change }, words: words.join("\n") };
}

/** The hook starts `sworn` by its name, from whatever starts the agent or git. */
function isOnPath({ PATH = "" }: Io["env"]): boolean {
  return PATH.split(delimiter).some(
    (folder) => isAbsolute(folder) && isProgram(join(folder, "sworn")),
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { resolve } from "node:path";
import { type Git, gitFailed } from "./git.ts";

/** Where git looks for hooks. */
export interface HooksFolder {
  readonly path: string;
  /** Whose setting it is: git's own place, this repository's, or one for all of the user's. */
  readonly by: "git" | "repository" | "user";
}

/**
 * The folder of a repository's hooks. What is asked here runs with hooks turned off, so git itself
 * would name that setting: the ones in files are read instead, and the last of them counts.
 */
export async function findHooksFolder(references: Git, root: string): Promise<HooksFolder> {
  const question = ["config", "--show-scope", "--type=path", "--get-all", "core.hooksPath"];
  const { code, out, complaint } = await references.ask(question);
  // 1 is git's way to say that nothing is set; our own setting is always there.
  if (code !== 0 && code !== 1) throw gitFailed(question, complaint);
  const set = out
    .toString("utf8")
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(([scope, path]) => scope !== "command" && path !== undefined && path !== "");
  const [scope, path] = set.at(-1) ?? [];
  if (path !== undefined) {
    return {
      path: resolve(root, path),
      by: scope === "local" || scope === "worktree" ? "repository" : "user",
    };
  }
  const own = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const folder = await references.line(own);
  if (folder === undefined) throw gitFailed(own, "");
  return { path: resolve(folder, "hooks"), by: "git" };
}

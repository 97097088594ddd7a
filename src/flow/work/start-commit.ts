import { SwornError } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";

/** Git keeps branches like files: one of these leaves no room for the branches of works. */
const IN_THE_WAY = ["sworn", "sworn/work"];

/**
 * The commit that a work begins with, where its branch can be made afterwards.
 *
 * @throws SwornError `NOT_FOUND` when there is none of that name; what to do, where there is none at all.
 */
export async function startCommit(repository: Repository, at: string): Promise<string> {
  const commit = await commitAt(repository, at);
  for (const branch of IN_THE_WAY) {
    if ((await found(repository, `refs/heads/${branch}`)) instanceof SwornError) continue;
    const what = `a branch is called ${branch}, so that git can make none of a work, sworn/work/…`;
    const next = `give it another name: git branch -m ${branch} <name>`;
    throw new SwornError("ALREADY_EXISTS", `${what}; ${next}`);
  }
  return commit;
}

async function commitAt(repository: Repository, at: string): Promise<string> {
  const commit = await found(repository, at);
  if (typeof commit === "string") return commit;
  if (at !== "HEAD") throw commit;
  const next = "work begins with a commit: git add -A && git commit -m begin, then try again";
  throw new SwornError("NOT_FOUND", `${commit.message}; ${next}`, { cause: commit });
}

/** The commit of that name, or that there is none. */
async function found(repository: Repository, name: string): Promise<string | SwornError> {
  try {
    return await repository.resolveCommit(name);
  } catch (error) {
    if (error instanceof SwornError && error.code === "NOT_FOUND") return error;
    throw error;
  }
}

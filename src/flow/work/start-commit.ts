import { SwornError } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";

/**
 * The commit that a work begins with.
 *
 * @throws SwornError `NOT_FOUND` when there is none of that name; what to do, where there is none at all.
 */
export async function startCommit(repository: Repository, at: string): Promise<string> {
  try {
    return await repository.resolveCommit(at);
  } catch (error) {
    const isMissing = error instanceof SwornError && error.code === "NOT_FOUND";
    if (!isMissing || at !== "HEAD") throw error;
    const next = "work begins with a commit: git add -A && git commit -m begin, then try again";
    throw new SwornError("NOT_FOUND", `${error.message}; ${next}`, { cause: error });
  }
}

import { messageOf, SwornError } from "../../base/index.ts";
import type { MainBranch, Repository } from "../../repo/index.ts";

const WHOLE = "a workflow has to check out the whole history (fetch-depth: 0)";

/** The two sides of a pull request, and whose word counts on how it is judged. */
export interface Sides {
  /** Where the change began. */
  readonly base: string;
  readonly head: string;
  /**
   * The branch that the change goes into, as it is now. The author of a change chooses where it begins;
   * an old commit could ask for less.
   */
  readonly judge: string;
  readonly how: string;
}

/** What was said about the sides, by whoever started it or by the event. */
export interface AskedSides {
  readonly base?: string | undefined;
  readonly head?: string | undefined;
}

/** @throws SwornError `NOT_FOUND` when a commit is not here, or the two have nothing in common; `INPUT_INVALID` without a change. */
export async function findSides(repository: Repository, asked: AskedSides): Promise<Sides> {
  const head = await commitHere(repository, asked.head ?? "HEAD");
  const into = await branchOf(repository, asked.base, head);
  if (into === undefined) {
    const { commit, how } = await repository.findBase(head);
    if (commit === null) {
      const name = head.slice(0, 12);
      const message = repository.isShallow
        ? `what comes before ${name} is not in this shallow clone; ${WHOLE}`
        : `nothing comes before ${name}; name a commit with --base`;
      throw new SwornError("NOT_FOUND", message);
    }
    return { base: commit, head, judge: commit, how };
  }
  const { base } = await repository.resolveRange(`${into.commit}...${head}`);
  // It cannot be missing: two commits that share none are refused before.
  const began = base.commit ?? into.commit;
  if (began === head) {
    const message = `there is no change to judge: ${into.name} has all of ${head.slice(0, 12)}; name the change with --head, or where it began with --base`;
    throw new SwornError("INPUT_INVALID", message);
  }
  return { base: began, head, judge: into.commit, how: into.name };
}

/** Undefined where nobody said and the main branch ends with the very change. */
async function branchOf(
  repository: Repository,
  asked: string | undefined,
  head: string,
): Promise<MainBranch | undefined> {
  if (asked !== undefined) return { commit: await commitHere(repository, asked), name: asked };
  const main = await repository.findMainBranch();
  return main?.commit === head ? undefined : main;
}

async function commitHere(repository: Repository, name: string): Promise<string> {
  try {
    return await repository.resolveCommit(name);
  } catch (cause) {
    if (!(cause instanceof SwornError) || cause.code !== "NOT_FOUND") throw cause;
    throw new SwornError("NOT_FOUND", `${messageOf(cause)}; ${WHOLE}`, { cause });
  }
}

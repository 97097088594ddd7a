import { resolve } from "node:path";
import { SwornError } from "../../base/index.ts";
import { Repository } from "../../repo/index.ts";

/**
 * The folder whose store the runs in a folder are recorded in: the top of its repository, or itself
 * outside of one. What is said about runs must lie where they look for it.
 */
export async function execRoot(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  try {
    const repository = await Repository.open(folder, { env });
    repository.close();
    return repository.root;
  } catch (error) {
    if (error instanceof SwornError && error.code === "NOT_FOUND") return resolve(folder);
    throw error;
  }
}

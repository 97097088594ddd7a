import { fail, pass } from "./outcome.ts";
import type { Prove } from "./scene.ts";

/** A path of the commit is there, as a file, or it is not there at all. */
export const proveFile: Prove<"file"> = async (proof, { repository, after }) => {
  const { path, present } = proof;
  const entry = await repository.blobAt(after, path);
  if (entry !== undefined) {
    // A link or a submodule points elsewhere: the file that was asked for is not in the project.
    const isFile = entry.kind === "file";
    if (present && isFile) return pass(proof, `${path} is there`);
    if (present) return fail(proof, `expected ${path} as a file, found a ${entry.kind}`);
    return fail(proof, `expected no ${path}, found a ${entry.kind}`);
  }
  const isFolder = await hasFiles(repository.listTree(after, path));
  if (!isFolder) {
    return present
      ? fail(proof, `expected ${path}, found no such file`)
      : pass(proof, `${path} is not there`);
  }
  const what = present ? `${path} as a file` : `no ${path}`;
  return fail(proof, `expected ${what}, found a folder`);
};

async function hasFiles(entries: AsyncGenerator<unknown>): Promise<boolean> {
  const { done } = await entries.next();
  await entries.return(undefined);
  return done !== true;
}

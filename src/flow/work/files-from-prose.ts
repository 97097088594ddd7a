import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { extractFiles, writeFiles } from "../../run/extract/index.ts";
import type { RunnerScene } from "../agent/agent-runner.ts";

/** What a subtask hands in has a rule of its own; it is no file of the project. */
const OUTPUT = "output.json";

/**
 * Whole files out of an answer in prose, on top of the commit that its author began with: for those who
 * can only answer. They are held against the same proofs, and go through the same gates, as files that
 * somebody wrote. What is refused as less than a file, or leads out of the project, is not there.
 *
 * @returns the commit, or undefined where the answer holds no file
 */
export async function filesFromProse(
  words: string,
  { run, at }: { readonly run: string; readonly at: string },
  { repository, env }: Pick<RunnerScene, "repository" | "env">,
): Promise<string | undefined> {
  const files = extractFiles(words).files.filter(({ path }) => basename(path) !== OUTPUT);
  if (files.length === 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "sworn-extracted-"));
  try {
    const tree = await repository.openRunTree({ folder, commit: at, env });
    try {
      writeFiles(realpathSync(folder), files);
      const saved = await tree.save(`refs/sworn/extracted/${run}`, `Extracted from run ${run}`);
      return saved.commit;
    } finally {
      tree.remove();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

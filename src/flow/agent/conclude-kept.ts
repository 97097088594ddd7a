import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunFiles } from "../../run/files/index.ts";
import type { KeptFolder } from "../../run/index.ts";
import { ExecRecord } from "../exec/exec-record.ts";
import type { RunnerScene } from "./agent-runner.ts";
import type { keptEnding } from "./kept-ending.ts";
import type { AgentOutcome } from "./run-agent.ts";

type KeptScene = Pick<
  RunnerScene,
  "place" | "repository" | "env" | "buses" | "engine" | "environment"
>;

/**
 * Concludes a run whose agent had ended by itself before its runtime was gone, as that runtime would
 * have: its tree is saved, its word is judged, and tests that it says pass are run once more.
 */
export async function concludeKept(
  { path, run }: KeptFolder,
  { output, ...seen }: NonNullable<ReturnType<typeof keptEnding>>,
  files: RunFiles,
  { place, repository, env, buses, engine, environment }: KeptScene,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { concludeAgent } = await import("./conclude-agent.ts");
  const { agent, task, trace, run_id: id, base: commit, since, keeps } = run;
  const folder = join(path, "tree");
  const tree = await repository.adoptRunTree({ folder, commit, env, keeps });
  const record = new ExecRecord(place, trace);
  try {
    const prompt = readFileSync(files.info.prompt_path, "utf8");
    // The runtime before may have got as far as to fill the one of that name.
    const copies = mkdtempSync(join(path, "copies-"));
    const outcome = await concludeAgent(
      { agent, task, prompt, signal, since },
      {
        ...{ place, buses, record, tree, files, copies, ...seen, prepared: { output } },
        again: {
          ...{ engine, repository, env, root: environment.root, id: `agent-${id}-again` },
          base: since ?? commit,
        },
      },
    );
    // Not where it failed: then its files may be nowhere else yet.
    tree.remove();
    return outcome;
  } finally {
    record.close();
  }
}

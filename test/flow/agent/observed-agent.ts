import { expect, onTestFinished } from "vitest";
import { giveAway } from "../../../src/base/index.ts";
import { saidWork } from "../../../src/claim/index.ts";
import { judgeSaid } from "../../../src/flow/agent/judge-said.ts";
import { observationOf } from "../../../src/flow/agent/observation-of.ts";
import { Repository } from "../../../src/repo/index.ts";
import { AGENT_TREE, execute, RunFolder, RunWatch } from "../../../src/run/index.ts";
import { BwrapEngine } from "../../../src/sandbox/index.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const engine = new BwrapEngine();
const ROOT = { kind: "host" } as const;
const LIMITS = Limits.parse({ step_seconds: 60 });
let count = 0;

/** Lets a script work on a tree as an agent would, and judges what it says in the end. */
export async function observedAgent(
  files: Readonly<Record<string, string>>,
  script: string,
  says: string,
  { isObserved = true, isRepeated = true } = {},
) {
  count += 1;
  const project = new GitFolder();
  project.commit(files);
  const repository = await Repository.open(project.path, { env: project.env });
  const folder = new RunFolder(engine.owner);
  onTestFinished(() => {
    repository.close();
    folder.remove();
  });
  const commit = await repository.resolveCommit("HEAD");
  const own = folder.shared("tree");
  const tree = await repository.openRunTree({ folder: own, commit, env: project.env });
  giveAway(own, engine.owner);
  const prepared = await engine.prepare({
    id: `agent-${process.pid}-${count}`,
    root: ROOT,
    argv: ["sh", "-c", script],
    cwd: AGENT_TREE,
    env: { PATH: "/usr/bin:/bin", HOME: "/workspace/data", LC_ALL: "C" },
    mounts: [{ source: own, target: AGENT_TREE, isWritable: true }],
    limits: LIMITS,
    isObserved,
  });
  const signal = new AbortController().signal;
  const watch = new RunWatch(() => prepared.usage(), { idleMs: 1e9, stuckMs: 1e9 }, 0);
  try {
    const ran = await execute(prepared, { limits: LIMITS, signal, onOutput: () => watch.look(0) });
    if (ran.kind !== "ran") throw new Error("it did not begin");
    const saved = await tree.save(`refs/sworn/runs/test-${count}`, "what it left");
    const seen = observationOf({ saved, folder: own, watch, observed: ran.observed });
    expect(seen.is_complete).toBe(isObserved);
    const id = `again-${process.pid}-${count}`;
    const again = {
      engine,
      root: ROOT,
      repository,
      saved,
      base: commit,
      limits: LIMITS,
      signal,
      id,
    };
    const judged = await judgeSaid(
      { said: saidWork(says), seen, processes: ran.observed?.processes, saved },
      isRepeated ? { ...again, env: project.env } : undefined,
    );
    const [first] = judged.said;
    return { ...judged, verdict: first?.verdict, reason: first?.reason, end: ran.end };
  } finally {
    prepared.release();
    tree.remove();
  }
}

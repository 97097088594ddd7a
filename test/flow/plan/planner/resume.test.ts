import { join } from "node:path";
import { expect, test } from "vitest";
import type { CommandIo } from "../../../../src/cli/io.ts";
import { goOnWithPlannings } from "../../../../src/cli/resume-plannings.ts";
import { Place } from "../../../../src/flow/place.ts";
import type { Asked } from "../../../../src/flow/plan/planner/ask.ts";
import { unfinishedPlannings } from "../../../../src/flow/plan/planner/unfinished-plannings.ts";
import { GitFolder } from "../../../repo/git-folder.ts";
import { COMPARISON, planIn, ScriptedAgent } from "./scripted-agent.ts";

test("what is left of a planning that was killed is asked in real runs by sworn resume, and nothing else", async () => {
  const project = new GitFolder();
  const say = `cat > /dev/null; echo '${JSON.stringify(COMPARISON)}'`;
  const agents = { scripted: { driver: "command", argv: ["sh", "-c", say] } };
  project.write("sworn.yaml", JSON.stringify({ agents }));
  project.commit({ "README.md": "# Report\n", "src/report.ts": "export const lines = 20;\n" });
  const { path, home, env } = project;
  const state = join(home, "state");
  const place = new Place({ store: join(path, ".sworn"), state });
  const agent = new ScriptedAgent();
  const dying = {
    ask: (asked: Asked) => {
      if (asked.step === "comparison") throw new Error("killed");
      return agent.ask(asked);
    },
  };
  const commit = project.git("rev-parse", "HEAD");
  await expect(planIn(place, dying, { commit })).rejects.toThrow("killed");
  const io: CommandIo = {
    ...{ out: () => {}, err: () => {}, say: () => {}, input: async function* () {} },
    ...{ env: { ...env, SWORN_STATE_DIR: state }, cwd: path, home, isTerminal: false },
    ...{ wantsJson: false, signal: new AbortController().signal },
  };
  const stuck: string[] = [];
  const [done, ...others] = await goOnWithPlannings(place, io, stuck);
  expect({ stuck, others }).toEqual({ stuck: [], others: [] });
  expect(done).toMatchObject({ exit: 0, json: { ready: true, task: "short-report" } });
  const { phases = [] } = (done?.json ?? {}) as { phases?: { step: string; runs: number }[] };
  expect(phases.filter(({ runs }) => runs > 0)).toMatchObject([{ step: "comparison", runs: 1 }]);
  expect(unfinishedPlannings(place)).toEqual([]);
});

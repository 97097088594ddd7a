import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { budgetFacts } from "../../../src/flow/vote/measure/budget-facts.ts";
import { modelFamily } from "../../../src/flow/vote/model-family.ts";
import { NIA, RUNTIME, reviewScene, writeModel } from "./review-scene.ts";

const [SOUND, DAMAGED] = ["20260101-0000000000-1", "20260101-0000000000-2"];

test("a damaged run is named beside what the others cost, and keeps nothing from being proposed", async () => {
  const { place, bus, trace, propose } = await reviewScene();
  writeModel(place, "vendor/oak-3-large");
  const actor = { agent: RUNTIME.agent, role: "runtime" } as const;
  const body = { run_id: DAMAGED, agent: NIA.agent, depth: 0 };
  await bus.record({ actor, type: "run_started", body });
  const folder = join(place.talkFolder("limit"), "runs", DAMAGED);
  mkdirSync(folder);
  writeFileSync(join(folder, "run-info.yaml"), "version: 1\nrun_id: [");
  const measured = () =>
    budgetFacts(place, { trace, task: "limit" }, { spend: undefined, tests: undefined });
  expect(measured()).toEqual({
    budgets: {
      overrun: [],
      measured: [
        "1 runs in 0.0 s",
        expect.stringMatching(/^how long 20260101-0000000000-2 took is not known: .*is no YAML/),
      ],
    },
  });
  expect(modelFamily(place, "limit", DAMAGED)).toBeUndefined();
  expect(modelFamily(place, "limit", SOUND)).toBe("oak");
  await propose();
  const info = readFileSync(join(place.talkFolder("limit"), "runs", SOUND, "run-info.yaml"));
  writeFileSync(join(place.talkFolder("limit"), "runs", SOUND, "run-info.yaml"), info.subarray(9));
  expect(measured().unknown?.budgets).toMatch(/0-1 took is not known: .*; how long .*0-2 took/);
});

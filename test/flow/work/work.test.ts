import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openForReading } from "../../../src/flow/trace/reading.ts";
import { outputFromProse } from "../../../src/flow/work/output-from-prose.ts";
import { parseEntry } from "../../../src/schema/index.ts";
import { verifies } from "../../verifies.ts";
import { honest, planOf, subtask, WorkWorld } from "./work-world.ts";

test("subtasks are done, proven, put together on a branch of their own, and recorded", async () => {
  const world = await WorkWorld.open();
  const plan = planOf([
    subtask("ST-01"),
    subtask("ST-02"),
    subtask("ST-03", { depends_on: ["ST-01", "ST-02"], context_required: { "ST-01": ["path"] } }),
  ]);
  const { report, folder } = await world.run(plan);
  expect(report).toMatchObject({ status: "completed", unproven: [] });
  const { project } = world;
  for (const id of ["st-01", "st-02", "st-03"]) {
    expect(project.git("show", `${report.branch}:${id}.txt`)).toBe(id.toUpperCase());
  }
  expect(project.git("ls-tree", "-r", "--name-only", `${report.branch}`)).not.toContain("staging");
  // The user's own files and branch are as they were.
  expect(existsSync(join(project.path, "st-01.txt"))).toBe(false);
  expect(project.git("rev-parse", "HEAD")).toBe(world.start);
  expect(project.git("status", "--porcelain")).toBe("");
  expect(await world.verified(report.trace)).toBe("pass");
  expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("every proof of every subtask");
  expect(world.worker.tries("ST-03")[0]?.prompt).toContain('"path": "st-01.txt"');
});

verifies(
  "001-4",
  "ready work begins at once, and an answer in prose is marked as what it is",
  async () => {
    const world = await WorkWorld.open((order) => {
      const { files } = honest(order);
      const words = 'Here it is.\n\n`output.json`:\n\n```json\n{"path":"x"}\n```\n';
      return order.subtask.id === "ST-01" ? { files: files ?? {}, words } : honest(order);
    });
    const plan = planOf([subtask("ST-01"), subtask("ST-02")]);
    const { report } = await world.run(plan, { extract: outputFromProse, parallel: 2 });
    expect(report.status).toBe("completed");
    const began = world.events.map(({ about, words }) => `${about} ${words}`);
    // Nobody is asked before the second one begins, and it does not wait for the first.
    expect(began.indexOf("ST-02 is given to a worker")).toBeLessThan(
      began.indexOf("ST-01 is proven"),
    );
    const work = soundText(world, report.trace, "st-01.1.work");
    expect(JSON.parse(work)).toMatchObject({
      output: { origin: "extracted", text: '{"path":"x"}\n' },
    });
  },
);

function soundText(world: WorkWorld, trace: string, name: string): string {
  const ledger = openForReading(world.place, trace);
  try {
    const entries = [...ledger.read()].flatMap((line) => parseEntry(JSON.parse(line)).data ?? []);
    const found = entries.flatMap(({ artifacts }) => artifacts).find((one) => one.name === name);
    return Buffer.concat([...world.place.artifacts.read(found?.hash ?? "")]).toString("utf8");
  } finally {
    ledger.close();
  }
}

import { expect, test } from "vitest";
import { KilledRuntime } from "./killed-runtime.ts";

test("a run that another one asked for is saved, and only the one that asked is gone on with", async () => {
  const parent =
    "if [ -e p.txt ]; then echo over; else echo p > p.txt; sworn delegate kid x; sleep 300; fi";
  const child = "if [ -e k.txt ]; then echo again; else echo k > k.txt; echo begun; sleep 300; fi";
  const world = new KilledRuntime({
    agents: {
      asker: { driver: "command", argv: ["sh", "-c", parent] },
      kid: { driver: "command", argv: ["sh", "-c", child] },
    },
    runs: { depth: 1 },
  });
  const kid = () => world.runs().find(({ agent }) => agent === "kid");
  await world.start("asker", () => world.printed(kid()) !== "");
  const resumed = await world.call("resume");
  expect(resumed.code).toBe(0);
  const [first, ...more] = world.runs();
  expect(more).toMatchObject([
    { agent: "kid", depth: 1, parent_run_id: first?.run_id, previous_run_id: null },
    { agent: "asker", depth: 0, parent_run_id: null, previous_run_id: first?.run_id },
  ]);
  expect(world.project.git("show", `${kid()?.ref}:k.txt`)).toBe("k");
  expect(resumed.out).toContain(`saved only, for run ${first?.run_id} had asked for it`);
});

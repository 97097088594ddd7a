import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

test("an agent that had ended when its runtime was killed is judged then, and not run again", async () => {
  const tests = 'require("node:test")("adds", (_, done) => setTimeout(done, 2000));\n';
  const script = [
    "echo ran >> runs.txt",
    "node --test >&2",
    "echo 'All tests pass.' > /workspace/output/output.md",
    "echo ended",
  ].join("; ");
  const agents = { coder: { driver: "command", argv: ["sh", "-c", script] } };
  const world = new KilledRuntime({ agents }, { "a.test.js": tests });
  // Its tree is saved once it has ended, and then its tests are run once more.
  const isSaved = () => world.project.git("for-each-ref", "refs/sworn/runs") !== "";
  await world.start("coder", isSaved);
  const resumed = await world.call("resume");
  expect([resumed.code, resumed.err]).toEqual([0, ""]);
  expect(resumed.out).toContain("it had ended, and is not run again");
  expect(resumed.out).toContain('CONFIRMED: "All tests pass."');
  const [only, ...more] = world.runs();
  expect(more).toEqual([]);
  expect(only).toMatchObject({ status: "completed", exit_code: 0, output_origin: "agent" });
  expect(world.project.git("show", `${only?.ref}:runs.txt`)).toBe("ran");
  expect((await world.call("verify", only?.trace ?? "")).code).toBe(0);
});

const TESTS = 'require("node:test")("adds", (_, done) => setTimeout(done, 2000));\n';
const SAYS = "echo 'Created `new.txt`. All tests pass.' > /workspace/output/output.md";

test("a later run of a chain that had ended is judged as one of the chain, as its runtime would have", async () => {
  const script = [
    "[ -e new.txt ] || { echo x > new.txt; echo first; exit 0; }",
    "node --test >&2",
    "touch /workspace/output/DONE",
    SAYS,
  ].join("; ");
  const agents = { coder: { driver: "command", argv: ["sh", "-c", script] } };
  const world = new KilledRuntime({ agents }, { "a.test.js": TESTS });
  const saved = () => world.project.git("for-each-ref", "refs/sworn/runs").split("\n");
  const { process: child, ended } = world.spawn("agents", "run", "coder", "Fix it", "--rounds=3");
  await world.until(() => saved().length === 2, ended);
  child.kill("SIGKILL");
  await ended;
  const resumed = await world.call("resume", "--save");
  expect(resumed.out).toContain('CONFIRMED: "Created `new.txt`."');
  expect(resumed.out).toContain("since the first run");
  expect([resumed.code, resumed.err]).toEqual([0, ""]);
});

test("a later run of a chain that was cut short is gone on with as one of the chain", async () => {
  const script = [
    "[ -e new.txt ] || { echo x > new.txt; echo first; exit 0; }",
    "[ -e cut.txt ] || { echo x > cut.txt; echo second; sleep 300; }",
    "touch /workspace/output/DONE",
    "echo 'Created `new.txt`.' > /workspace/output/output.md",
  ].join("; ");
  const agents = { coder: { driver: "command", argv: ["sh", "-c", script] } };
  const world = new KilledRuntime({ agents });
  const { process: child, ended } = world.spawn("agents", "run", "coder", "Fix it", "--rounds=3");
  await world.until(() => world.printed(world.runs()[1]) !== "", ended);
  child.kill("SIGKILL");
  await ended;
  const resumed = await world.call("resume");
  expect(resumed.out).toContain('CONFIRMED: "Created `new.txt`."');
  expect([resumed.code, world.runs().length]).toEqual([0, 3]);
});

const POLITE = "trap 'echo bye > bye.txt; exit 0' TERM; echo begun; while :; do sleep 0.1; done";

test("a terminal that is closed ends a run in order: its agent is asked first, and its work kept", async () => {
  const agents = { coder: { driver: "command", argv: ["sh", "-c", POLITE] } };
  const world = new KilledRuntime({ agents });
  const hasBegun = () => world.printed(world.runs()[0]) !== "";
  const ended = await world.start("coder", hasBegun, "SIGHUP");
  expect(ended).toEqual({ code: 1, signal: null });
  const [run] = world.runs();
  expect(run).toMatchObject({ status: "cancelled" });
  expect(world.project.git("show", `${run?.ref}:bye.txt`)).toBe("bye");
});

test("a real terminal that is closed leaves a command that ended in order, as if by its signal", async () => {
  const agents = { coder: { driver: "command", argv: ["sh", "-c", POLITE] } };
  const world = new KilledRuntime({ agents });
  const there = join(world.project.home, "there");
  const program = ["python3", join(import.meta.dirname, "closed-terminal.py"), there];
  const { ended } = world.spawnBy(program, "agents", "run", "coder", "Fix it");
  await world.until(() => world.printed(world.runs()[0]) !== "", ended);
  writeFileSync(there, "");
  // A dump of Node's, where it cannot put the terminal back, would be -6.
  expect((await ended).out).toBe("-1\n");
  const [run] = world.runs();
  expect(run).toMatchObject({ status: "cancelled" });
  expect(world.project.git("show", `${run?.ref}:bye.txt`)).toBe("bye");
});

test("a run goes on where nobody reads its stderr any more", async () => {
  const agents = { coder: { driver: "command", argv: ["sh", "-c", "echo x > x.txt; echo done"] } };
  const world = new KilledRuntime({ agents });
  const { process: child, ended } = world.spawn("agents", "run", "coder", "Fix it");
  child.stderr?.destroy();
  expect((await ended).code).toBe(0);
  expect(world.runs()).toMatchObject([{ status: "completed" }]);
});

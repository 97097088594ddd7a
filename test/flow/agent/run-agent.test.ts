import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { AgentRunner } from "../../../src/flow/agent/agent-runner.ts";
import { runsOf } from "../../../src/flow/agent/known-runs.ts";
import { CONTINUE, promptFor } from "../../../src/flow/agent/prompt-for.ts";
import type { AgentRequest } from "../../../src/flow/agent/run-agent.ts";
import { ExecRecord } from "../../../src/flow/exec/exec-record.ts";
import { readArtifactText } from "../../../src/flow/talk/artifact-text.ts";
import { Bus } from "../../../src/flow/talk/bus.ts";
import { readTrace } from "../../../src/flow/trace/look.ts";
import { verifyTarget } from "../../../src/flow/trace/verify-target.ts";
import { readRunInfo } from "../../../src/run/files/index.ts";
import { reapFolders } from "../../../src/run/index.ts";
import { BwrapEngine, type Prepared } from "../../../src/sandbox/index.ts";
import { AgentLimits } from "../../../src/schema/agent.ts";
import { driverOf } from "../../agent/read-stream.ts";
import { AgentWorld } from "./agent-world.ts";

async function run(script: string, more: Partial<AgentRequest> = {}) {
  const world = await AgentWorld.open();
  const { project, place } = world;
  const outcome = await world.run(script, more);
  expect(outcome.refused).toBe(undefined);
  return { project, place, outcome };
}

test("an agent works in a tree of its own, which ends on a reference", async () => {
  const { project, outcome } = await run(
    'cat > got.txt; echo two > a.txt; rm src/b.ts; echo "Updated \\`a.txt\\`. Created \\`got.txt\\`."',
  );
  const { info, saved, said } = outcome;
  expect(info).toMatchObject({ status: "completed", exit_code: 0, agent: "coder", depth: 0 });
  const ref = info?.ref ?? "";
  expect(project.git("show", `${ref}:a.txt`)).toBe("two");
  expect(project.git("show", `${ref}:got.txt`)).toBe("Fix it.");
  expect(saved?.changed.map(({ path, how }) => `${how} ${path}`).toSorted()).toEqual([
    "added got.txt",
    "deleted src/b.ts",
    "modified a.txt",
  ]);
  expect(said.map(({ verdict }) => verdict)).toEqual(["CONFIRMED", "CONFIRMED"]);
  // The user's own files are as they were.
  expect(readFileSync(join(project.path, "a.txt"), "utf8")).toBe("one\n");
  expect(existsSync(info?.cwd ?? "")).toBe(false);
});

test("its folder and its record tell what it was, said and did", async () => {
  const { place, outcome } = await run("echo progress >&2; echo Done: all tests pass.");
  const folder = join(place.store, "tasks/task-1/runs", outcome.info?.run_id ?? "");
  expect(readRunInfo(join(folder, "run-info.yaml"))).toEqual(outcome.info);
  expect(readFileSync(join(folder, "agent-stderr.txt"), "utf8")).toBe("progress\n");
  expect(readFileSync(join(folder, "prompt.md"), "utf8")).toBe("Fix it.");
  expect(readFileSync(join(folder, "output.md"), "utf8")).toMatch(/^---\norigin: runner\n/);
  expect(outcome.said).toMatchObject([{ verdict: "HALLUCINATED", claim: { kind: "tests" } }]);
  const verified = await verifyTarget(async () => place, outcome.trace, {
    profile: "default",
    mode: "full",
    threads: 1,
  });
  expect(verified).toMatchObject({ kind: "trace", report: { status: "pass" } });
});

test("the record holds what an agent was asked: the task in words, and all that it was told beside it", async () => {
  const secret = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
  const task = `Make it quokka-proof with ${secret}.`;
  const told = { limits: AgentLimits.parse({}), isRoot: true, hasTooling: true };
  const prompt = promptFor(task, told);
  const { place, outcome } = await run("true", { prompt: `${CONTINUE}\n\n${prompt}` });
  const entries = readTrace(place, outcome.trace);
  const opened = entries.find(({ type }) => type === "session_initialized");
  expect(opened?.body).toMatchObject({
    objective: expect.stringMatching(/^coder: Make it quokka-proof with \[REDACTED:[a-z-]+\]\.$/),
  });
  const intent = entries.find(({ type }) => type === "tool_intent_signed");
  const hash = intent?.artifacts.find(({ name }) => name === "prompt.md")?.hash ?? "";
  const recorded = readArtifactText(place, hash);
  // A record is handed on for years, and nothing can be taken out of it.
  expect(recorded).not.toContain(secret);
  expect(recorded.replace(/\[REDACTED:[a-z-]+\]/, secret)).toBe(`${CONTINUE}\n\n${prompt}`);
});

test("what a run is recorded to be is so: its only way out is in its facts, its evidence beside it", async () => {
  const { place, outcome } = await run("true");
  const entries = readTrace(place, outcome.trace);
  const intent = entries.find(({ type }) => type === "tool_intent_signed");
  expect(intent?.body).toMatchObject({
    justification:
      "Sealed: no network but the egress in the facts, nothing of the host but what they name",
  });
  const proposal = entries.find(({ type }) => type === "proposal_created");
  const promised =
    proposal?.type === "proposal_created" ? (proposal.body.units[0]?.expected_evidence ?? []) : [];
  const left = entries.find(({ type }) => type === "tool_execution_completed");
  const names = left?.artifacts.map(({ name }) => name);
  expect(promised).toHaveLength(2);
  expect(names).toEqual(expect.arrayContaining(promised));
});

test("settings that cannot be read are told before policies are loaded, which somebody had to close", async () => {
  const { project, place } = await AgentWorld.open();
  const { path: folder, env, home } = project;
  mkdirSync(join(place.state, "policies"), { recursive: true });
  writeFileSync(join(place.state, "policies/own.cedar"), "permit(");
  const opening = () => AgentRunner.open({ folder, env, home, placeFor: () => place });
  await expect(opening()).rejects.toThrow(/own\.cedar/);
  project.write("sworn.yaml", "runs: []\n");
  await expect(opening()).rejects.toThrow(/sworn\.yaml/);
});

test("a run that is over at once has the numbers of its process and its group", async () => {
  const { outcome } = await run("exit 0");
  const { pid = 0, pgid = 0 } = outcome.info ?? {};
  expect(pid).toBeGreaterThan(1);
  expect(pgid).toBeGreaterThan(1);
  expect(pid).not.toBe(process.pid);
});

test("what it says it changed and did not is made up", async () => {
  const { outcome } = await run('echo "I fixed \\`src/b.ts\\` and created \\`src/new.ts\\`."');
  expect(outcome.said.map(({ verdict }) => verdict)).toEqual(["HALLUCINATED", "HALLUCINATED"]);
  expect(outcome.saved?.changed).toEqual([]);
});

test("whole paths are its tree's where they lie in it, and unknown where they do not", async () => {
  const world = await AgentWorld.open();
  const words =
    "Created \\`/workspace/data/tree/src/made-up.ts\\`. Created \\`/etc/app.conf\\`. Created \\`/workspace/data/tree/real.txt\\`.";
  const { said } = await world.run(`echo x > real.txt; echo "${words}"`);
  expect(said.map(({ verdict }) => verdict)).toEqual(["HALLUCINATED", "UNVERIFIED", "CONFIRMED"]);
});

test("its own output.md counts, and a link in its place is not followed", async () => {
  const own = await run("echo '# Result' > /workspace/output/output.md");
  expect(own.outcome.info?.output_origin).toBe("agent");
  const link = await run("ln -s /etc/hostname /workspace/output/output.md; echo said");
  expect(link.outcome.info?.output_origin).toBe("runner");
  const text = readFileSync(link.outcome.info?.output_path ?? "", "utf8");
  expect(text).not.toContain(readFileSync("/etc/hostname", "utf8").trim());
});

test("an agent that fails, hangs or is called off loses nothing", async () => {
  const failed = await run("echo half > half.txt; exit 3");
  expect(failed.outcome.info).toMatchObject({ status: "failed", exit_code: 3 });
  const limits = AgentLimits.parse({ stuck_seconds: 1, idle_seconds: 1 });
  const steps: string[] = [];
  const stuck = await run("echo half > half.txt; sleep 300", {
    limits,
    onStep: (one) => steps.push(one),
  });
  expect(stuck.outcome.info).toMatchObject({
    status: "failed",
    error_summary: "ended by stuck_seconds",
  });
  const controller = new AbortController();
  const onEvent = () => controller.abort();
  const cancelled = await run("echo half > half.txt; echo begun; sleep 300", {
    signal: controller.signal,
    onEvent,
  });
  expect(cancelled.outcome.info?.status).toBe("cancelled");
  for (const { project, outcome } of [failed, stuck, cancelled]) {
    expect(project.git("show", `${outcome.info?.ref}:half.txt`)).toBe("half");
  }
});

test("work that cannot be saved stays where it is said to be, also when others tidy up", async () => {
  const world = await AgentWorld.open();
  // A reference of this name makes a folder of it impossible.
  world.project.git("update-ref", "refs/sworn/runs", "HEAD");
  const failed = world.run("echo precious > work.txt");
  const error = await failed.catch((cause: unknown) => cause as Error);
  const { message } = error as Error;
  expect(message).toContain('"sworn resume" goes on with it');
  const [folder = ""] = /\/\S*sworn-agent-[^\s,]+/.exec(message) ?? [];
  // As it looks when the process is long gone: no system gives out this number.
  const left = folder.replace(`-${process.pid}-`, "-4194399-");
  renameSync(folder, left);
  onTestFinished(() => rmSync(left, { recursive: true, force: true }));
  reapFolders(Date.now());
  expect(readFileSync(join(left, "tree/work.txt"), "utf8")).toBe("precious\n");
});

test("work that is saved is said to be, where only the record of its run could not be ended", async () => {
  const world = await AgentWorld.open();
  const completed = vi.spyOn(ExecRecord.prototype, "completed");
  onTestFinished(() => completed.mockRestore());
  completed.mockRejectedValueOnce(new Error("the disk is full"));
  const failed = world.run("echo precious > work.txt");
  const { message } = await failed.then(
    () => new Error("it ended"),
    (cause: unknown) => cause as Error,
  );
  const [, ref = "", folder = ""] =
    /^the work of the run is saved on (\S+), but the run could not be recorded to its end: the disk is full; "sworn resume" ends it with what is in (\S+)$/.exec(
      message,
    ) ?? [];
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(world.project.git("show", `${ref}:work.txt`)).toBe("precious");
});

test("it finds neither the user's home nor a history, and no network but a dead loopback", async () => {
  const { outcome } = await run(
    [
      'for p in /root /home /var/lib; do [ -e $p ] && echo "there is $p"; done',
      'echo "home $HOME with $(ls -A $HOME | wc -l) files"',
      "git log >/dev/null 2>&1 || echo no history",
      "grep -c : /proc/net/dev",
    ].join("\n"),
  );
  const text = readFileSync(outcome.info?.output_path ?? "", "utf8");
  expect(text).toContain("home /workspace/data/home with 0 files\nno history\n1\n");
  expect(text).not.toContain("there is");
});

const TESTS = {
  "good.test.js":
    'const test = require("node:test");\ntest("adds", () => {});\ntest("more", () => {});\n',
};

test.each([
  ["node --test >/dev/null 2>&1; echo 'All tests pass.'", "CONFIRMED"],
  ["echo 'All tests pass.'", "HALLUCINATED"],
  [
    "echo 'require(\"node:test\")(\"bad\", () => { throw 1 })' > bad.test.js; sleep 0.2; node --test >/dev/null 2>&1; echo 'All tests pass.'",
    "HALLUCINATED",
  ],
  // The tests were run, and then what they test was changed.
  [
    "node --test >/dev/null 2>&1; echo 'require(\"node:test\")(\"bad\", () => { throw 1 })' > good.test.js; echo 'All tests pass.'",
    "HALLUCINATED",
  ],
])(
  "tests that are said to pass count by what was seen and counted: %s",
  async (script, verdict) => {
    const world = await AgentWorld.open();
    world.project.commit(TESTS);
    const { said } = await world.run(script);
    expect(said.map((one) => `${one.verdict}: ${one.reason}`)).toEqual([
      expect.stringMatching(new RegExp(`^${verdict}`)),
    ]);
  },
);

test("a repository with folders whose names are no text is refused by the rules, and not by a crash", async () => {
  const world = await AgentWorld.open();
  const { path } = world.project;
  const folder = Buffer.concat([Buffer.from(`${path}/n`), Buffer.from([0xfe])]);
  mkdirSync(folder);
  writeFileSync(Buffer.concat([folder, Buffer.from([0x2f, 0xfd])]), "x");
  world.project.git("add", "--all", "--", ".", ":!.sworn");
  world.project.git("commit", "--quiet", "-m", "odd names");
  const { refused } = await world.runner.run(world.request("true"));
  expect(refused?.reason).toMatch(/could not be searched/);
});

test("a model's complaint is cut where a character ends, so that every record takes it", async () => {
  const world = await AgentWorld.open();
  const asked = world.request("exit 1");
  const message = `${"a".repeat(999)}😀`;
  const reader: typeof asked.driver.reader = () => ({
    tellsTools: true,
    echoBytes: 0,
    take: () => [],
    end: () => [{ kind: "error", why: "busy", message }],
  });
  const { info } = await world.runner.run({ ...asked, driver: { ...asked.driver, reader } });
  expect(info?.status).toBe("failed");
  expect(info?.error_summary).toMatch(/^exit code 1; its model: a{999}\uFFFD$/);
});

test.each([
  ["that nest without end", `echo '${">".repeat(65)} x'`],
  ["of lines without end", "seq -f 'compiling module %g of the project' 2500"],
])("words %s keep no run from its end, and are doubted", async (_, script) => {
  const { outcome } = await run(`echo work > w.txt; ${script}; echo; echo All tests pass.`);
  expect(outcome.info?.status).toBe("completed");
  expect(outcome.saved?.changed).toEqual([{ path: "w.txt", how: "added" }]);
  expect(outcome.said).toMatchObject([
    { verdict: "HALLUCINATED", claim: { kind: "tests" } },
    { verdict: "UNVERIFIED", reason: expect.stringMatching(/^it could not be read: line 1 /) },
  ]);
});

test("of an answer that is too long the beginning and the end are kept and judged", async () => {
  const long = "yes 'a line of the log' | head -c 1500000; echo; echo All tests pass.";
  const { outcome } = await run(`{ echo Begun.; ${long}; } > /workspace/output/output.md`);
  expect(outcome.info).toMatchObject({ status: "completed", output_origin: "agent" });
  expect(outcome.said).toContainEqual(
    expect.objectContaining({
      verdict: "HALLUCINATED",
      reason: expect.stringContaining("no test"),
    }),
  );
  const kept = readFileSync(outcome.info?.output_path ?? "", "utf8");
  expect(kept).toMatch(/^Begun\.\n/);
  expect(kept).toMatch(/\[6\d{5} bytes left out here\]/);
  expect(kept.length).toBeLessThan(1_000_000);
});

test("a turn that breaks off is no success, whatever the program ends with", async () => {
  const world = await AgentWorld.open();
  const asked = world.request("true");
  const reader: typeof asked.driver.reader = () => ({
    ...{ tellsTools: true, echoBytes: 0, take: () => [], end: () => [], isCutOff: true },
  });
  const { info } = await world.runner.run({ ...asked, driver: { ...asked.driver, reader } });
  expect(info).toMatchObject({
    ...{ status: "failed", exit_code: 0 },
    error_summary: "its turn broke off before it said that it was done",
  });
});

test("a known agent that prints nothing in its own form has not answered, whatever it ends with", async () => {
  const world = await AgentWorld.open();
  const { reader } = driverOf("codex");
  const summaryOf = async (script: string) => {
    const asked = world.request(script);
    const { info } = await world.runner.run({ ...asked, driver: { ...asked.driver, reader } });
    return [info?.status, info?.error_summary];
  };
  expect(await summaryOf('echo Welcome; echo \'{"type":"banana"}\'')).toEqual([
    "failed",
    "nothing that it printed has the form that was expected; it begins with: Welcome",
  ]);
  expect(await summaryOf("true")).toEqual(["failed", "it ended without a word"]);
  const begun = `echo '{"type":"turn.started"}'`;
  expect(await summaryOf(begun)).toEqual(["failed", "it ended without a word"]);
  expect(await summaryOf("echo Welcome; exit 3")).toEqual(["failed", "exit code 3"]);
  const done = { type: "item.completed", item: { type: "agent_message", id: "1", text: "Done." } };
  const lines = [done, { type: "turn.completed" }].map((line) => `echo '${JSON.stringify(line)}'`);
  expect(await summaryOf(lines.join("; "))).toEqual(["completed", undefined]);
});

/** The files of runs that this process has open. */
function openStreams(): string[] {
  return readdirSync("/proc/self/fd")
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        // The one that the folder was read through is closed by now.
        return "";
      }
    })
    .filter((path) => path.endsWith("/agent-stdout.txt"));
}

/** Whose sandboxes are known. */
async function watchedWorld() {
  const world = await AgentWorld.open();
  const prepare = vi.spyOn(BwrapEngine.prototype, "prepare");
  onTestFinished(() => prepare.mockRestore());
  return { world, prepare };
}

test("no sandbox is built for what the policies refuse, and none begins that is not on record", async () => {
  const { world, prepare } = await watchedWorld();
  const admitted = vi.spyOn(ExecRecord.prototype, "admitted");
  onTestFinished(() => admitted.mockRestore());
  admitted.mockRejectedValueOnce(new Error("the disk is full"));
  await expect(world.run("true")).rejects.toThrow("the disk is full");
  const prepared: Prepared = await prepare.mock.results.at(0)?.value;
  expect((await prepared.end).limit).toBe("it was not started");
  expect(runsOf(world.place)).toEqual([]);
  const limits = AgentLimits.parse({ seconds: 80_000 });
  const { refused } = await world.runner.run(world.request("true", { limits }));
  expect(refused).toBeDefined();
  expect(prepare).toHaveBeenCalledTimes(1);
});

test("a run that fails before its sandbox stands is over, and leaves nothing open", async () => {
  const { world, prepare } = await watchedWorld();
  const openTooling = () => Promise.reject(new Error("there is no socket"));
  await expect(world.run("true", { openTooling })).rejects.toThrow("there is no socket");
  // It was being built meanwhile, and is gone.
  const prepared: Prepared = await prepare.mock.results.at(0)?.value;
  expect((await prepared.end).limit).toBe("it was not started");
  expect(existsSync(prepared.output)).toBe(false);
  let open = 0;
  const close = async () => {
    open -= 1;
  };
  const opened = async () => {
    open += 1;
    return { close, asked: [] };
  };
  const broken = world.request("true", { openTooling: opened });
  const command: typeof broken.driver.command = (...args) => ({
    ...broken.driver.command(...args),
    // A prompt that cannot be written down.
    stdin: 1 as unknown as string,
  });
  const driver = { ...broken.driver, command };
  await expect(world.runner.run({ ...broken, driver })).rejects.toThrow(/must be of type string/);
  const unnamed: typeof command = (...args) => ({
    ...broken.driver.command(...args),
    argv: ["a=b"],
  });
  const other = { ...broken, driver: { ...broken.driver, command: unnamed } };
  await expect(world.runner.run(other)).rejects.toThrow(/expected a program to run/);
  expect(open).toBe(0);
  const bus = Bus.open({ place: world.place, task: "task-1" });
  onTestFinished(() => bus.close());
  const runs = runsOf(world.place).map(({ info }) => info);
  expect(runs.map(({ status, error_summary }) => `${status}: ${error_summary}`)).toEqual([
    "failed: it was not started: there is no socket",
    expect.stringMatching(/^failed: it was not started: .*must be of type string/),
    expect.stringMatching(/^failed: it was not started: .*expected a program to run/),
  ]);
  const known = runs.map(({ run_id }) => bus.runStatus(run_id));
  expect(known).toEqual(["failed", "failed", "failed"]);
  expect(openStreams()).toEqual([]);
});

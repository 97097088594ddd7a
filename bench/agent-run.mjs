// What a run of an agent costs beyond the program itself: its own tree, the sandbox, every program
// seen, the record signed and on disk. Against the same program alone, against the least that anything
// like it has to do, a work tree, bubblewrap, and the work tree gone again, and against those parts of it
// that no run can do without: a sandbox that is limited and watched, and git to see and keep what it left.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { commandDriver } from "../dist/agent/index.js";
import { AgentRunner } from "../dist/flow/agent/agent-runner.js";
import { Place } from "../dist/flow/place.js";
import { BwrapEngine } from "../dist/sandbox/index.js";
import { AgentConfig, AgentLimits } from "../dist/schema/agent.js";
import { Limits } from "../dist/schema/execution.js";
import { absolute, alternate, compare, median, runAlone, timed } from "./measure.mjs";

const FILES = 2_000;
/** See decision 0054. */
const TREE_AND_BWRAP_MOST = 1;
const PARTS_MOST = 2.5;
const SANDBOX_MOST = 3;
const MANY = 1_000;
const AT_A_TIME = 8;
const MIB = 1 << 20;

export async function measure({ rounds = "21", large: isLarge }) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-agent-"));
  // Whoever the sandbox runs as must be able to enter it.
  chmodSync(folder, 0o711);
  try {
    const options = { rounds: Number(rounds), warmUp: 3 };
    const large = await open(join(folder, "large"), FILES);
    const small = await open(join(folder, "small"), 1);
    const sandbox = openSandbox(join(folder, "sandbox"));
    const times = await alternate(
      {
        bare: () => timed(() => ended(spawn("/bin/true", { stdio: "ignore" }))),
        sealed: () => timed(sandbox),
        kept: () => timed(() => seeAndKeep(large)),
        ours: () => timed(() => run(large)),
        oursSmall: () => timed(() => run(small)),
      },
      options,
    );
    // By itself: after thousands of files were removed, a file system looks long for room for the next ones.
    const trees = await alternate(
      { least: () => timed(() => leastOf(large)), ours: () => timed(() => run(large)) },
      { rounds: Math.ceil(options.rounds / 3), warmUp: 1 },
    );
    const { bare, sealed, kept, ours, oursSmall } = times;
    const parts = sealed.map((ms, round) => ms + kept[round]);
    const over = (list) => median(list) - median(bare);
    const rows = [
      compare({
        name: `agent run, ${FILES} files / worktree and bwrap`,
        ours: trees.ours,
        bare: trees.least,
        most: TREE_AND_BWRAP_MOST,
      }),
      compare({
        name: `agent run, ${FILES} files / its sandbox and git alone`,
        ours,
        bare: parts,
        most: PARTS_MOST,
      }),
      compare({
        name: "agent run, 1 file / its sandbox alone",
        ours: oursSmall,
        bare: sealed,
        most: SANDBOX_MOST,
      }),
      floor(`its sandbox and git alone over a bare spawn, ${FILES} files`, over(parts)),
      floor(`agent run over a bare spawn, ${FILES} files`, over(ours)),
      floor("its sandbox alone over a bare spawn", over(sealed)),
      floor("agent run over a bare spawn, 1 file", over(oursSmall)),
    ];
    await large.runner.close();
    if (isLarge) rows.push(...(await runMany(small)));
    else await small.runner.close();
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function open(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < files; at += 1) {
    mkdirSync(join(folder, `part-${at % 50}`), { recursive: true });
    const text = `export const value${at} = ${at};\n`.repeat(20);
    writeFileSync(join(folder, `part-${at % 50}`, `file-${at}.ts`), text);
  }
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: folder,
    });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  const place = new Place({ store: join(folder, ".sworn"), state: join(folder, ".state") });
  const { env } = process;
  const runner = await AgentRunner.open({ folder, env, home: folder, placeFor: () => place });
  const config = AgentConfig.parse({ driver: "command", argv: ["true"] });
  const found = { path: "/bin/true", argv: ["/bin/true"], version: undefined, folders: [] };
  return { folder, runner, driver: commandDriver(config, found) };
}

async function run({ runner, driver }) {
  const { info } = await runner.run({
    agent: "trivial",
    driver,
    limits: AgentLimits.parse({}),
    prompt: "Nothing.",
    task: "bench",
    signal: new AbortController().signal,
    onEvent: () => {},
    onStep: () => {},
  });
  if (info?.status !== "completed") throw new Error(`the run ended as ${info?.status}`);
}

/** Nothing is limited, watched, recorded or signed. */
async function leastOf({ folder }) {
  const tree = mkdtempSync(join(tmpdir(), "sworn-bench-tree-"));
  const path = join(tree, "tree");
  await git(folder, ["worktree", "add", "--quiet", "--detach", path]);
  const sandbox = ["--unshare-all", "--ro-bind", "/", "/", "--bind", path, path, "--", "/bin/true"];
  await ended(spawn("bwrap", sandbox, { stdio: "ignore" }));
  await git(folder, ["worktree", "remove", "--force", path]);
  rmSync(tree, { recursive: true, force: true });
}

/** In milliseconds, which differ from hour to hour: it has no target. */
function floor(name, ours) {
  return absolute({ name, unit: "ms", ours });
}

/** The sandbox of an agent's run, with every limit and every program seen, around nothing. */
function openSandbox(folder) {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const engine = new BwrapEngine();
  const mounts = [{ source: folder, target: "/workspace/input", isWritable: false }];
  const task = { root: { kind: "host" }, argv: ["/bin/true"], cwd: "/", env: {}, mounts };
  let count = 0;
  return async () => {
    count += 1;
    const id = `bench-agent-${process.pid}-${count}`;
    const asked = { ...task, id, limits: Limits.parse({}), isObserved: true };
    const prepared = await engine.prepare(asked);
    if (prepared.trace === undefined) throw new Error("nobody watches the sandbox");
    for (const stream of [prepared.stdout, prepared.stderr, prepared.trace.lines]) stream.resume();
    prepared.begin();
    const { code } = await prepared.end;
    prepared.release();
    if (code !== 0) throw new Error(`the task ended with ${code}`);
  };
}

/** Which files changed, and the outcome on a reference: the two questions to git that every run ends with. */
async function seeAndKeep({ folder }) {
  await git(folder, ["status", "--porcelain", "-z", "--ignored", "--", "part-*"]);
  await git(folder, ["update-ref", "refs/sworn/bench/kept", "HEAD"]);
}

const git = (cwd, args) => ended(spawn("git", args, { cwd, stdio: "ignore" }));

async function ended(child) {
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`);
}

/** Many runs, a few at a time: what they leave behind when they are over. */
async function runMany(world) {
  await collected();
  const before = left();
  const early = { rss: 0 };
  let begun = 0;
  const worker = async () => {
    while (begun < MANY) {
      begun += 1;
      if (begun === MANY / 10) early.rss = process.memoryUsage().rss;
      await run(world);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  // SQLite closes its files when the statements on them are collected; see decision 0017.
  await collected();
  const { descriptors } = left();
  // Trees that are laid aside for the next run are there until then.
  await world.runner.close();
  const after = { ...left(), descriptors };
  const grown = (process.memoryUsage().rss - early.rss) / MIB;
  const row = (name, ours, most) =>
    absolute({ name: `${MANY} runs: ${name}`, unit: "", ours, most });
  return [
    row("MiB more after all than after a tenth", grown, 100),
    row("descriptors left", after.descriptors - before.descriptors, 4),
    row("folders left", after.folders - before.folders, 0),
    row("processes left", after.children - before.children, 0),
  ];
}

async function collected() {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  for (let time = 0; time < 3; time += 1) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function left() {
  const own = `/proc/${process.pid}/task/${process.pid}/children`;
  return {
    descriptors: readdirSync("/proc/self/fd").length,
    folders: readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`)).length,
    children: execFileSync("cat", [own], { encoding: "utf8" }).trim().split(/\s+/).length,
  };
}

await runAlone(import.meta.url, measure);

// What a whole session costs beyond its children: the example with a worker that does next to nothing.
// Counted is the processor's time of the runtime's own process, on all its threads, and the time in which
// none of its children is at work; agents, proofs and git run in these.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timeAlone } from "./children-at-work.mjs";
import { absolute, median, runAlone } from "./measure.mjs";

const BIN = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
const OWN = new URL("own-time.mjs", import.meta.url).href;
const EXAMPLE = fileURLToPath(new URL("../examples/run", import.meta.url));
const MS_MAX = 1_500;

export async function measure({ rounds = "3" }) {
  const times = [];
  for (let round = 0; round < Number(rounds); round += 1) times.push(await oneSession());
  const row = (name, ours) =>
    absolute({ name: `sworn run on the example, ${name}`, unit: "ms", ours, most: MS_MAX });
  return [
    row("processor time of its own", median(times.map(({ processorMs }) => processorMs))),
    row("time without a child", median(times.map(({ aloneMs }) => aloneMs))),
  ];
}

async function oneSession() {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-session-"));
  try {
    const cwd = join(folder, "project");
    cpSync(join(EXAMPLE, "project"), cwd, { recursive: true });
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    for (const args of [
      ["init", "--quiet"],
      ["add", "--all"],
      ["commit", "--quiet", "-m", "begin"],
    ]) {
      execFileSync("git", [...who, ...args], { cwd });
    }
    const own = join(folder, "own");
    const env = { ...process.env, SWORN_STATE_DIR: join(folder, "state"), SWORN_BENCH_OWN: own };
    const plan = join(EXAMPLE, "page.json");
    const args = ["--import", OWN, BIN, "run", "--plan", plan, "--agent", "pager"];
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    const ended = once(child, "exit");
    const aloneMs = await timeAlone(
      child.pid,
      () => child.exitCode !== null || child.signalCode !== null,
    );
    const [code] = await ended;
    if (code !== 0) throw new Error(`sworn run ended with ${code}: ${said}`);
    return { processorMs: Number(readFileSync(own, "utf8")), aloneMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runAlone(import.meta.url, measure);

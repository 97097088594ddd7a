// How long a sandbox takes from nothing to the end of `true`: with every limit and a look from
// inside, against bubblewrap alone with the same mounts, and against another sandbox that does less.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxManager } from "@anthropic-ai/sandbox-runtime";
import { bwrapArguments } from "../dist/sandbox/bwrap/arguments.js";
import { hostRoot } from "../dist/sandbox/host-root.js";
import { BwrapEngine } from "../dist/sandbox/index.js";
import { Limits } from "../dist/schema/execution.js";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const UID = 1_000;
const LIMITS = Limits.parse({});

export async function measure({ rounds = "41" }) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-bwrap-"));
  const engine = new BwrapEngine();
  const input = join(folder, "input");
  mkdirSync(input);
  chmodSync(folder, 0o711);
  if (engine.owner) chownSync(input, engine.owner.uid, engine.owner.gid);
  const mounts = [{ source: input, target: "/workspace/input", isWritable: false }];
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [folder], denyWrite: [] },
  });
  try {
    const times = await alternate(
      {
        bare: () => timed(() => runBare(engine, mounts)),
        ours: () => timed(() => runOurs(engine, mounts)),
        other: () => timed(() => runOther(folder)),
      },
      { rounds: Number(rounds), warmUp: 5 },
    );
    const { ours, bare, other } = times;
    return [
      compare({ name: "bwrap: true, with every limit / bare bwrap", ours, bare, most: 2 }),
      compare({
        name: "sandbox-runtime / bwrap with every limit",
        ours: other,
        bare: ours,
        least: 2,
      }),
    ];
  } finally {
    await SandboxManager.reset();
    rmSync(folder, { recursive: true, force: true });
  }
}

let count = 0;

async function runOurs(engine, mounts) {
  count += 1;
  const prepared = await engine.prepare({
    id: `bench-${count}`,
    root: { kind: "host" },
    argv: ["true"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    mounts,
    limits: LIMITS,
  });
  if (prepared.controls.some(({ holds }) => !holds)) throw new Error("a control does not hold");
  prepared.stdout.resume();
  prepared.stderr.resume();
  prepared.begin();
  const { code } = await prepared.end;
  prepared.release();
  if (code !== 0) throw new Error(`true ended with ${code}`);
}

/** The same mounts, and nothing that is looked at or limited. */
async function runBare(engine, mounts) {
  const root = hostRoot(UID).filter(({ kind }) => kind !== "text");
  const fds = { seccomp: 0, info: 0, launcher: 0 };
  const all = bwrapArguments(root, mounts, LIMITS, fds, { uid: UID, cwd: "/" });
  const args = all.slice(0, all.indexOf("--seccomp"));
  const launcher = args.indexOf("--ro-bind-data");
  args.splice(launcher - 2, 5);
  const child = spawn("bwrap", [...args, "--", "/usr/bin/env", "true"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH },
    cwd: "/",
    ...engine.owner,
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`bare bwrap ended with ${code}: ${said}`);
}

async function runOther(cwd) {
  const command = await SandboxManager.wrapWithSandbox("true");
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"], cwd });
  child.stdout.resume();
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the other sandbox ended with ${code}: ${said}`);
}

await runAlone(import.meta.url, measure);

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { EngineClient } from "../../../src/sandbox/docker/engine-client.ts";
import { negotiate } from "../../../src/sandbox/docker/engine-facts.ts";
import { importFolder } from "../../../src/sandbox/docker/image.ts";

/** An engine of the test's own: nothing of it is left afterwards. */
export interface Daemon {
  readonly folder: string;
  readonly socket: string;
  readonly client: EngineClient;
  /** The id of an image with busybox in it. */
  readonly image: string;
  stop(): Promise<void>;
}

const READY_MS_MAX = 20_000;

/** A daemon for all tests of a file; to be called at its top, where what comes after them can be said. */
export function daemonForFile(): { readonly daemon: Daemon } {
  let started: Daemon | undefined;
  beforeAll(async () => {
    started = await startDaemon();
  });
  afterAll(() => started?.stop());
  return {
    get daemon() {
      if (started === undefined) throw new Error("the daemon is there once the tests have begun");
      return started;
    },
  };
}

/** Starts dockerd with a data folder and a socket of its own. Whoever does must stop it. */
export async function startDaemon(): Promise<Daemon> {
  const folder = mkdtempSync(join(tmpdir(), "sworn-dockerd-"));
  const socket = join(folder, "s");
  const paths = ["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")];
  const plain = ["--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false"];
  const own = ["--pidfile", join(folder, "pid"), "--host", `unix://${socket}`, "--bridge=none"];
  const args = [...paths, ...own, ...plain, "--storage-driver", "overlay2"];
  const child = spawn("dockerd", args, { stdio: ["ignore", "ignore", "pipe"] });
  try {
    await ready(child);
    const client = new EngineClient(socket);
    await negotiate(client);
    const image = await importFolder(client, busyboxRoot(folder));
    const stopAll = async (): Promise<void> => {
      client.close();
      await stop(child, folder);
    };
    return { folder, socket, client, image, stop: stopAll };
  } catch (error) {
    await stop(child, folder);
    throw error;
  }
}

/** Fails when the engine is missing: a test that is skipped shows nothing. */
function ready(child: ChildProcess): Promise<void> {
  let said = "";
  return new Promise((resolve, reject) => {
    const giveUp = (why: string) => reject(new Error(`dockerd: ${why}\n${said.slice(-2_000)}`));
    const timer = setTimeout(() => giveUp("not ready in time"), READY_MS_MAX);
    child.once("error", (error) => giveUp(error.message));
    child.once("exit", (code) => giveUp(`ended with ${code}`));
    child.stderr?.on("data", (text: Buffer) => {
      said = (said + text.toString()).slice(-100_000);
      if (!said.includes("API listen on")) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.pid !== undefined) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const left = mounts.map((line) => line.split(" ")[1] ?? "").filter((at) => at.startsWith(folder));
  for (const at of left.reverse()) spawnSync("umount", ["-l", at]);
  rmSync(folder, { recursive: true, force: true });
}

/** The smallest root that a task can run in: one static program under many names. */
export function busyboxRoot(folder: string): string {
  const root = join(folder, "busybox");
  if (existsSync(root)) return root;
  for (const name of ["bin", "usr/bin", "etc", "tmp", "proc", "dev", "sys", "workspace"]) {
    mkdirSync(join(root, name), { recursive: true });
  }
  copyFileSync("/usr/bin/busybox", join(root, "bin/busybox"));
  const listed = spawnSync("/usr/bin/busybox", ["--list"], { encoding: "utf8" }).stdout;
  for (const name of listed.split("\n").filter((one) => one !== "" && one !== "busybox")) {
    symlinkSync("busybox", join(root, "bin", name));
  }
  symlinkSync("../../bin/busybox", join(root, "usr/bin/env"));
  return root;
}

export const digestOf = (text: string): string =>
  `sha256:${createHash("sha256").update(text).digest("hex")}`;

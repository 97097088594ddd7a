// How long a container takes from the first call to the last, against the bare calls of the Engine API.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineClient } from "../dist/sandbox/docker/engine-client.js";
import { negotiate } from "../dist/sandbox/docker/engine-facts.js";
import { importFolder } from "../dist/sandbox/docker/image.js";
import { DockerEngine } from "../dist/sandbox/docker/index.js";
import { Limits } from "../dist/schema/execution.js";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

export async function measure({ rounds = "15" }) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-docker-"));
  const socket = join(folder, "s");
  const daemon = await startDaemon(folder, socket);
  try {
    const client = new EngineClient(socket);
    await negotiate(client);
    const image = await importFolder(client, busyboxRoot(folder));
    const engine = new DockerEngine({ host: `unix://${socket}`, state: join(folder, "state") });
    const times = await alternate(
      {
        bare: () => timed(() => runBare(client, image)),
        ours: () => timed(() => runOurs(engine, image)),
      },
      { rounds: Number(rounds), warmUp: 3 },
    );
    client.close();
    const { ours, bare } = times;
    return [compare({ name: "docker: true, start to removal / bare API", ours, bare, most: 1.2 })];
  } finally {
    await stopDaemon(daemon, folder);
  }
}

let count = 0;

async function runOurs(engine, image) {
  count += 1;
  const prepared = await engine.prepare({
    id: `bench-${count}`,
    root: { kind: "image", id: image, digest: image },
    argv: ["true"],
    cwd: "/",
    env: { PATH: "/bin" },
    mounts: [],
    limits: Limits.parse({}),
  });
  const broken = prepared.controls.filter(({ holds }) => !holds);
  if (broken.length > 0) throw new Error(JSON.stringify(broken));
  prepared.begin();
  const { code } = await prepared.end;
  prepared.release();
  if (code !== 0) throw new Error(`true ended with ${code}`);
}

/** What a program that trusts the engine would do: the same container with the same limits, and no look at it. */
async function runBare(client, image) {
  const { memory_bytes: memory, pids, tmp_bytes: size } = Limits.parse({});
  const body = {
    Image: image,
    Cmd: ["/bin/true"],
    User: "1000:1000",
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      NetworkMode: "none",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      PidsLimit: pids,
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: 2_000_000_000,
      Init: true,
      LogConfig: { Type: "none" },
      IpcMode: "private",
      CgroupnsMode: "private",
      Tmpfs: Object.fromEntries(
        ["/tmp", "/workspace/data", "/workspace/output"].map((path) => [path, `size=${size}`]),
      ),
    },
  };
  const made = await client.call({ method: "POST", path: "/containers/create", body });
  const path = `/containers/${made.body.Id}`;
  const query = { stream: "1", stdin: "1", stdout: "1", stderr: "1" };
  const stream = await client.hijack({ method: "POST", path: `${path}/attach`, query });
  stream.resume();
  const wait = { method: "POST", path: `${path}/wait`, query: { condition: "next-exit" } };
  const waiting = await client.open({ ...wait, isLong: true });
  await client.call({ method: "POST", path: `${path}/start` });
  for await (const _ of waiting);
  await client.call({ method: "DELETE", path, query: { force: "1", v: "1" } });
  stream.destroy();
}

function busyboxRoot(folder) {
  const root = join(folder, "root");
  for (const name of ["bin", "usr/bin"]) mkdirSync(join(root, name), { recursive: true });
  copyFileSync("/usr/bin/busybox", join(root, "bin/busybox"));
  symlinkSync("busybox", join(root, "bin/true"));
  symlinkSync("../../bin/busybox", join(root, "usr/bin/env"));
  return root;
}

function startDaemon(folder, socket) {
  const paths = ["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")];
  const own = ["--pidfile", join(folder, "pid"), "--host", `unix://${socket}`, "--bridge=none"];
  const plain = ["--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false"];
  const args = [...paths, ...own, ...plain, "--storage-driver", "overlay2"];
  const child = spawn("dockerd", args, { stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`dockerd ended with ${code}`)));
    child.stderr.on("data", (text) => {
      if (text.includes("API listen on")) resolve(child);
    });
  });
}

async function stopDaemon(child, folder) {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  spawnSync("umount", ["-R", "-l", folder]);
  rmSync(folder, { recursive: true, force: true });
}

await runAlone(import.meta.url, measure);

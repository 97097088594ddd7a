import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { EngineClient } from "../../../src/sandbox/docker/engine-client.ts";
import { negotiate } from "../../../src/sandbox/docker/engine-facts.ts";
import { importFolder } from "../../../src/sandbox/docker/image.ts";
import { DockerEngine } from "../../../src/sandbox/docker/index.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { verifies } from "../../verifies.ts";
import { redTeam, writesNowhereElse } from "../red-team.ts";
import { perlRoot } from "./perl-root.ts";

const folder = mkdtempSync(join(tmpdir(), "sworn-podman-"));
const socket = join(folder, "s");
const engine = new DockerEngine({ host: `unix://${socket}`, state: join(folder, "state") });
const service = { stop: async () => undefined as unknown };
let client: EngineClient;
let image: string;

beforeAll(async () => {
  const own = ["root", "runroot", "tmpdir"].flatMap((name) => [`--${name}`, join(folder, name)]);
  const fixed = ["--runtime", "runc", "--cgroup-manager", "cgroupfs"];
  const args = [...own, ...fixed, "--log-level", "info", "system", "service", "-t", "0"];
  const child = spawn("podman", [...args, `unix://${socket}`], {
    // Its monitor writes a file called "oom" into the folder that it was started in.
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  service.stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  // Fails when podman is missing: a test that is skipped shows nothing.
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`podman ended with ${code}: ${said}`)));
    child.stderr.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("API service listening on")) resolve();
    });
  });
  client = new EngineClient(socket);
  expect(await negotiate(client)).toBe("podman");
  image = await importFolder(client, perlRoot(folder));
});

afterAll(async () => {
  client.close();
  await service.stop();
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const left = mounts.map((line) => line.split(" ")[1] ?? "").filter((at) => at.startsWith(folder));
  for (const at of left.reverse()) spawnSync("umount", ["-l", at]);
  rmSync(folder, { recursive: true, force: true });
});

const prepare = async (id: string, script: string) => {
  const prepared = await engine.prepare({
    id,
    root: { kind: "image", id: image, digest: image },
    argv: ["sh", "-c", script],
    cwd: "/workspace/data",
    env: { PATH: "/bin" },
    mounts: [],
    limits: Limits.parse({}),
  });
  onTestFinished(async () => {
    prepared.stop("the test is over");
    await prepared.end.catch(() => undefined);
    prepared.release();
  });
  return prepared;
};

test("podman's service enforces the same controls and runs the same tasks", async () => {
  expect(await engine.examine()).toEqual([]);
  const prepared = await prepare(
    "one",
    "id -u; echo wrong >&2; echo x > /workspace/output/x; exit 7",
  );
  expect(prepared.controls.filter(({ holds }) => !holds)).toEqual([]);
  prepared.begin();
  const [out, err] = await Promise.all([text(prepared.stdout), text(prepared.stderr)]);
  expect([out, err, await prepared.end]).toEqual([
    "1000\n",
    "wrong\n",
    { code: 7, signal: undefined, limit: undefined },
  ]);
  expect(readFileSync(join(prepared.output, "x"), "utf8")).toBe("x\n");
});

test("a task that is stopped ends there too, and nothing of it is left", async () => {
  const prepared = await prepare("two", "echo on; sleep 1000");
  prepared.begin();
  for await (const part of prepared.stdout as AsyncIterable<Buffer>)
    if (`${part}`.includes("on")) break;
  prepared.stop("step_seconds");
  expect(await prepared.end).toMatchObject({ limit: "step_seconds" });
  const list = { method: "GET", path: "/containers/json", query: { all: "1" } } as const;
  expect((await client.call(list)).body).toEqual([]);
  expect(readdirSync(join(folder, "state/docker"))).toEqual([]);
});

test("places that podman would make as large as memory are small", async () => {
  const prepared = await prepare("three", "df -k /run /var/tmp | awk 'NR > 1 { print $2 }'");
  prepared.begin();
  expect(await text(prepared.stdout)).toBe("64\n64\n");
  await prepared.end;
});

const target = () => ({
  engine,
  root: { kind: "image" as const, id: image, digest: image },
  isMemoryUnnamed: true,
});

verifies("004-36", "nothing outside of podman's folders for a task can be written to", () =>
  writesNowhereElse(target()),
);

redTeam(target);

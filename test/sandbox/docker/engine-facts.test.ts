import { symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { hostname, release } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineSocket } from "../../../src/sandbox/docker/engine-address.ts";
import { DockerEngine } from "../../../src/sandbox/docker/index.ts";
import { isOwnerGone, ownerOf } from "../../../src/sandbox/run-owner.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { verifies } from "../../verifies.ts";
import { digestOf } from "./daemon.ts";

const FINE = {
  ID: "x",
  Name: hostname(),
  OSType: "linux",
  KernelVersion: release(),
  Driver: "overlay2",
  MemoryLimit: true,
  SwapLimit: true,
  PidsLimit: true,
  CpuCfsQuota: true,
  SecurityOptions: ["name=seccomp,profile=default"],
  Swarm: { LocalNodeState: "inactive" },
};

/** An engine that says of itself what a test wants, and writes down what it was asked. */
async function engineThatSays(info: object) {
  const folder = temporaryFolder();
  const socket = join(folder, "s");
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end(JSON.stringify(request.url === "/version" ? { ApiVersion: "1.41" } : info));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const engine = new DockerEngine({ host: `unix://${socket}`, state: join(folder, "state") });
  return { engine, asked };
}

const task = {
  id: "t",
  root: { kind: "image", id: digestOf("x"), digest: digestOf("x") },
  argv: ["true"],
  cwd: "/",
  env: {},
  mounts: [],
  limits: Limits.parse({}),
} as const;

verifies(
  ["004-51", "004-52"],
  "an engine elsewhere, or one that places work in a swarm, runs nothing",
  async () => {
    const elsewhere = [
      { Name: "another-machine" },
      { KernelVersion: "1.0" },
      { Swarm: { LocalNodeState: "active" } },
      { Swarm: { LocalNodeState: "pending" } },
    ];
    for (const said of elsewhere) {
      const { engine, asked } = await engineThatSays({ ...FINE, ...said });
      expect(await engine.examine()).toMatchObject([{ control: "same_node" }]);
      await expect(engine.prepare(task)).rejects.toMatchObject({
        code: "SANDBOX_REFUSED",
        message: expect.stringContaining("same_node"),
      });
      expect(asked.filter((line) => !line.startsWith("GET"))).toEqual([]);
    }
  },
);

verifies(
  "004-51",
  "an engine is reached through a socket of this machine and in no other way",
  async () => {
    for (const host of [
      "tcp://127.0.0.1:2375",
      "ssh://me@host",
      "http://x",
      "npipe:////./pipe/x",
      "fd://",
      "",
      "unix://relative",
      "/var/run/x",
    ]) {
      const engine = new DockerEngine({ host, state: temporaryFolder() });
      expect(await engine.examine(), host).toMatchObject([{ control: "same_node" }]);
      await expect(engine.prepare(task), host).rejects.toMatchObject({ code: "SANDBOX_REFUSED" });
    }
  },
);

test.each([
  ["memory", { MemoryLimit: false }],
  ["memory", { SwapLimit: false }],
  ["pids", { PidsLimit: false }],
  ["cpu", { CpuCfsQuota: false }],
  ["seccomp", { SecurityOptions: ["name=apparmor"] }],
  ["seccomp", { SecurityOptions: null }],
  ["engine", { OSType: "windows" }],
])("an engine that cannot enforce %s is refused by that name: %j", async (control, said) => {
  const { engine, asked } = await engineThatSays({ ...FINE, ...said });
  expect(await engine.examine()).toMatchObject([{ control, reason: expect.any(String) }]);
  await expect(engine.prepare(task)).rejects.toThrow(new RegExp(`cannot enforce ${control}`));
  expect(asked.filter((line) => !line.startsWith("GET"))).toEqual([]);
});

test("an engine that says nothing of a limit is not believed to have it", async () => {
  const { PidsLimit: _, ...rest } = FINE;
  const { engine } = await engineThatSays(rest);
  expect(await engine.examine()).toMatchObject([
    { control: "engine", reason: expect.stringContaining("PidsLimit") },
  ]);
});

test("an engine is asked again after it was put right", async () => {
  const said: Record<string, unknown> = { ...FINE, PidsLimit: false };
  const { engine } = await engineThatSays(said);
  await expect(engine.prepare(task)).rejects.toThrow(/cannot enforce pids/);
  said["PidsLimit"] = true;
  await expect(engine.prepare(task)).rejects.not.toThrow(/cannot enforce pids/);
});

test("a path that is no socket, or nothing at all, is refused with what to do", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  expect(engineSocket(`unix://${folder}/file`)).toMatchObject({
    reason: expect.stringContaining("is no socket"),
  });
  expect(engineSocket(`unix://${folder}/none`)).toMatchObject({
    reason: expect.stringContaining("DOCKER_HOST"),
  });
  expect(engineSocket(`unix://${folder}/${"x".repeat(120)}`)).toMatchObject({
    control: "same_node",
  });
});

test("a link to a socket is followed once, to the socket itself", async () => {
  const folder = temporaryFolder();
  const server = createServer().listen(join(folder, "real"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  symlinkSync("real", join(folder, "link"));
  expect(engineSocket(`unix://${folder}/link`)).toBe(join(folder, "real"));
});

test("a process that lives is no owner that is gone", () => {
  expect(isOwnerGone(ownerOf())).toBe(false);
  expect(isOwnerGone(ownerOf(1))).toBe(false);
});

test.each<[string, boolean, (parts: string[]) => string[]]>([
  ["of another boot", true, ([, ...rest]) => ["other", ...rest]],
  ["whose number was given out again", true, (parts) => [...parts.slice(0, 3), "1"]],
  ["whose number is nobody's", true, ([boot = "", space = ""]) => [boot, space, "4194304", "1"]],
  [
    "in another namespace, which cannot be seen",
    false,
    ([boot = "", , ...rest]) => [boot, "1", ...rest],
  ],
  ["without a number", false, ([boot = "", space = ""]) => [boot, space, "../1", "1"]],
])("an owner %s is gone: %s", (_who, isGone, change) => {
  expect(isOwnerGone(change(ownerOf().split("/")).join("/"))).toBe(isGone);
});

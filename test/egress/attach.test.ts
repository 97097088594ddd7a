import { chmodSync, existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createRunAuthority, EgressProxy } from "../../src/egress/index.ts";
import {
  ask,
  closedFolder,
  dialSocket,
  HOST,
  openTls,
  openWorld,
  requestBytes,
  ruleFor,
} from "./world.ts";

async function proxyIn(socketFolder: string): Promise<EgressProxy> {
  const ca = await createRunAuthority({ validForMs: 60_000, hosts: [HOST] });
  return EgressProxy.start({ socketFolder, rules: [ruleFor(443)], ca, onLog: () => undefined });
}

test("the way out exists only between attach and detach", async () => {
  const world = await openWorld();
  const { proxy } = world;
  expect(lstatSync(proxy.socketPath).isSocket()).toBe(true);
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
  await proxy.detach();
  expect(existsSync(proxy.socketPath)).toBe(false);
  await expect(ask(world, "/left-pad")).rejects.toThrow(/ENOENT/);
  await proxy.attach();
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
});

test("detaching cuts what is open, also in the middle of an answer", async () => {
  const world = await openWorld({
    answer: (_request, response) => response.writeHead(200).write("hello"),
  });
  const idle = await world.dial();
  const busy = await openTls(world);
  busy.write(requestBytes(world, "/left-pad"));
  await new Promise((resolve) => busy.once("data", resolve));
  const closed = [idle, busy].map((socket) => new Promise((done) => socket.once("close", done)));
  busy.on("error", () => undefined);
  await world.proxy.detach();
  await Promise.all(closed);
  expect(world.proxy.connectionCount).toBe(0);
});

test("what was spent stays spent over a detach", async () => {
  const world = await openWorld({ proxy: { budget: { bytesIn: 1_000, bytesOut: 200 } } });
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
  await world.proxy.detach();
  await world.proxy.attach();
  expect(await ask(world, "/left-pad")).toMatch(/refused \(budget\)/);
});

test("a path longer than the kernel takes for a socket is no hindrance", async () => {
  const folder = join(closedFolder(), "a".repeat(100), "b".repeat(100));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const proxy = await proxyIn(folder);
  await proxy.attach();
  expect(lstatSync(join(folder, "egress.sock")).isSocket()).toBe(true);
  await proxy.close();
  expect(existsSync(join(folder, "egress.sock"))).toBe(false);
});

test("a folder that other users of the machine can enter is refused", async () => {
  const folder = join(closedFolder(), "sockets");
  mkdirSync(folder, { mode: 0o755 });
  const fine = await proxyIn(folder);
  await fine.close();
  chmodSync(dirname(folder), 0o755);
  await expect(proxyIn(folder)).rejects.toThrow(/make it or its parent 0700/);
});

test("a link instead of a folder, and a file in the socket's place, are refused", async () => {
  const folder = closedFolder();
  symlinkSync(folder, join(folder, "link"));
  await expect(proxyIn(join(folder, "link"))).rejects.toThrow(/expected a folder/);
  writeFileSync(join(folder, "egress.sock"), "");
  const proxy = await proxyIn(folder);
  await expect(proxy.attach()).rejects.toThrow(/is no socket/);
  await proxy.close();
});

test("a socket that a crashed run left is replaced", async () => {
  const folder = closedFolder();
  const crashed = await proxyIn(folder);
  await crashed.attach();
  const next = await proxyIn(folder);
  await next.attach();
  const socket = await dialSocket(next.socketPath);
  socket.destroy();
  await next.close();
  await crashed.close();
});

import { expect, test } from "vitest";
import { survivesFlood } from "./flood.ts";
import { ask, dialSocket, openTls, openWorld, requestBytes, until } from "./world.ts";

test("a flood of connections is bounded, and requests are still served", () =>
  survivesFlood(1_500));

test("a newcomer pushes out the oldest connection that never asked for anything", async () => {
  const world = await openWorld({ proxy: { limits: { connectionsMax: 3, graceMs: 0 } } });
  const closed: number[] = [];
  for (const at of [0, 1, 2, 3]) {
    const socket = await dialSocket(world.proxy.socketPath);
    socket.once("close", () => closed.push(at));
    await until(() => world.proxy.connectionCount === Math.min(at + 1, 3));
  }
  await until(() => closed.length > 0);
  expect(closed).toEqual([0]);
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
});

test("whoever is being served is never pushed out", async () => {
  let finish: () => void = () => undefined;
  const world = await openWorld({
    answer: (_request, response) => {
      response.writeHead(200).write("hel");
      finish = () => response.end("lo");
    },
    proxy: { limits: { connectionsMax: 1, graceMs: 0 } },
  });
  const served = ask(world, "/left-pad");
  await until(() => world.seen.length === 1);
  const late = await dialSocket(world.proxy.socketPath);
  await new Promise((resolve) => late.once("close", resolve));
  finish();
  expect(await served).toMatch(/hel[\s\S]*lo/);
});

test("whoever waits for a turn makes room for a newcomer, whoever is served does not", async () => {
  const held: (() => void)[] = [];
  const world = await openWorld({
    answer: (_request, response) => void held.push(() => response.end("hello")),
    proxy: { limits: { connectionsMax: 2, exchangesMax: 1, graceMs: 0 } },
  });
  const served = ask(world, "/served");
  await until(() => held.length === 1);
  const waiting = await openTls(world);
  const waitingClosed = new Promise((resolve) => waiting.once("close", resolve));
  waiting.write(requestBytes(world, "/waits"));
  // In these turns of the loop the proxy reads the request and finds no place for it.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const newcomer = await dialSocket(world.proxy.socketPath);
  await waitingClosed;
  newcomer.destroy();
  held[0]?.();
  expect(await served).toContain("hello");
  expect(world.seen.map(({ url }) => url)).toEqual(["/served"]);
});

test("a connection has a moment to say something before it can be pushed out", async () => {
  const world = await openWorld({ proxy: { limits: { connectionsMax: 1, graceMs: 60_000 } } });
  const first = await dialSocket(world.proxy.socketPath);
  await until(() => world.proxy.connectionCount === 1);
  const second = await dialSocket(world.proxy.socketPath);
  await new Promise((resolve) => second.once("close", resolve));
  expect(first.destroyed).toBe(false);
  first.destroy();
});

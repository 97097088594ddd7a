import { expect, test } from "vitest";
import { survivesFlood } from "./flood.ts";
import { ask, dialSocket, openWorld, until } from "./world.ts";

test("a flood of connections is bounded, and requests are still served", () => survivesFlood(600));

test("a newcomer pushes out the oldest connection that never asked for anything", async () => {
  const world = await openWorld({ proxy: { limits: { connectionsMax: 3 } } });
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
    proxy: { limits: { connectionsMax: 1 } },
  });
  const served = ask(world, "/left-pad");
  await until(() => world.seen.length === 1);
  const late = await dialSocket(world.proxy.socketPath);
  await new Promise((resolve) => late.once("close", resolve));
  finish();
  expect(await served).toMatch(/hel[\s\S]*lo/);
});

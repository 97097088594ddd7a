import { expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { ask, HOST, openTls, openWorld, refusedBy, requestBytes, talk, until } from "./world.ts";

const MIB = 2 ** 20;

test("an announced answer beyond the budget is refused before it starts", async () => {
  const world = await openWorld({
    answer: (_request, response) => response.end(Buffer.alloc(2 * MIB)),
    proxy: { budget: { bytesIn: MIB, bytesOut: MIB } },
  });
  expect(refusedBy(await ask(world, "/left-pad"))).toBe("budget");
});

test("an answer without a length is cut where the budget ends, and nothing more comes in", async () => {
  const world = await openWorld({
    answer: (_request, response) => {
      response.write(Buffer.alloc(MIB));
      response.end(Buffer.alloc(MIB));
    },
    proxy: { budget: { bytesIn: MIB + 1_000, bytesOut: MIB } },
  });
  const answer = await ask(world, "/left-pad");
  expect(answer.length).toBeLessThan(MIB + 20_000);
  expect(answer.endsWith("0\r\n\r\n")).toBe(false);
  expect(refusedBy(await ask(world, "/left-pad"))).toBe("budget");
  expect(world.log.map(({ rule }) => rule)).toEqual(["budget", "budget"]);
});

test("requests beyond the budget of outgoing bytes are refused", async () => {
  const world = await openWorld({ proxy: { budget: { bytesIn: MIB, bytesOut: 400 } } });
  const rules: (string | undefined)[] = [];
  for (let at = 0; at < 4; at += 1) rules.push(refusedBy(await ask(world, "/left-pad")));
  expect(rules.at(0)).toBeUndefined();
  expect(rules.at(-1)).toBe("budget");
  const sent = world.log.reduce((sum, { bytesOut }) => sum + bytesOut, 0);
  expect(sent).toBeLessThanOrEqual(400);
});

verifies("004-69", "the log has host, method, bytes and times, and no path or header", async () => {
  let now = 1_000;
  const world = await openWorld({ proxy: { clock: () => now++ } });
  await ask(world, "/left-pad", { headers: ["X-Token: secret"] });
  expect(world.log).toEqual([
    {
      host: HOST,
      method: "GET",
      bytesIn: expect.any(Number),
      bytesOut: expect.any(Number),
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      verdict: "allowed",
      rule: "npm",
      status: 200,
    },
  ]);
  const [line] = world.log;
  expect(line?.endedAt).toBeGreaterThan(line?.startedAt ?? 0);
  expect(line?.bytesIn).toBeGreaterThan(5);
  expect(line?.bytesOut).toBeGreaterThan("GET /left-pad HTTP/1.1".length);
  expect(JSON.stringify(world.log)).not.toMatch(/left-pad|secret/);
});

test("a method that somebody made up is logged as other", async () => {
  const world = await openWorld();
  await ask(world, "/left-pad", { method: "SECRET-DATA" });
  expect(world.log).toMatchObject([{ method: "OTHER", rule: "method" }]);
});

test("when the log is full nothing is served, because it would go unlogged", async () => {
  const world = await openWorld({ proxy: { limits: { logLinesMax: 2 } } });
  await ask(world, "/one");
  await ask(world, "/two");
  await expect(ask(world, "/three")).rejects.toThrow();
  expect(world.seen.map(({ url }) => url)).toEqual(["/one", "/two"]);
});

test("a full log also ends the connections that are open", async () => {
  const world = await openWorld({ proxy: { limits: { logLinesMax: 2 } } });
  const bytes = `GET /left-pad HTTP/1.1\r\nHost: ${HOST}:${world.port}\r\n\r\n`;
  const answer = await talk(await openTls(world), bytes.repeat(5));
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  expect(world.seen).toHaveLength(2);
});

test("refusals cannot use up the log's lines of what passed", async () => {
  const world = await openWorld({ proxy: { limits: { logLinesMax: 2 } } });
  for (let at = 0; at < 5; at += 1) await ask(world, "/a/b/c");
  await ask(world, "/one");
  expect(world.log.map(({ verdict }) => verdict)).toEqual(["refused", "refused", "allowed"]);
});

test("a head that comes too slowly ends the connection, and is logged", async () => {
  const world = await openWorld({ proxy: { limits: { headMs: 50 } } });
  const socket = await world.dial();
  const answer = await talk(socket, "CONNECT regis");
  expect(answer).toBe("");
  expect(world.log).toMatchObject([{ host: "", method: "OTHER", rule: "timeout" }]);
});

test("a handshake that never comes ends the connection", async () => {
  const world = await openWorld({ proxy: { limits: { headMs: 50 } } });
  const name = `${HOST}:${world.port}`;
  const answer = await talk(
    await world.dial(),
    `CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(world.log).toMatchObject([{ host: HOST, method: "CONNECT", rule: "timeout" }]);
});

test("a connection that is idle between requests is closed", async () => {
  const world = await openWorld({ proxy: { limits: { idleMs: 50 } } });
  const bytes = `GET /left-pad HTTP/1.1\r\nHost: ${HOST}:${world.port}\r\n\r\n`;
  const answer = await talk(await openTls(world), bytes);
  expect(answer).toContain("hello");
  expect(world.log).toHaveLength(1);
});

test("an upstream that stalls is cut off", async () => {
  const world = await openWorld({
    answer: (_request, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("hello");
    },
    proxy: { limits: { stallMs: 1_000 } },
  });
  const answer = await ask(world, "/left-pad");
  expect(answer.endsWith("hello")).toBe(true);
  expect(world.log).toMatchObject([{ verdict: "refused", rule: "timeout" }]);
});

test("a request as a whole has its time, also when bytes trickle", async () => {
  const world = await openWorld({
    answer: (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 20);
      response.once("close", () => clearInterval(timer));
    },
    proxy: { limits: { requestMs: 300, stallMs: 10_000 } },
  });
  await ask(world, "/left-pad");
  expect(world.log).toMatchObject([{ verdict: "refused", rule: "timeout" }]);
});

test("an answer that breaks off is cut, not completed", async () => {
  const world = await openWorld({
    answer: (request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("hello", () => request.socket.destroy());
    },
  });
  const answer = await ask(world, "/left-pad");
  expect(answer).toMatch(/content-length: 100/);
  expect(world.log).toMatchObject([{ verdict: "refused", rule: "upstream" }]);
});

test("a connection has a bounded number of requests", async () => {
  const world = await openWorld({ proxy: { limits: { requestsPerConnectionMax: 2 } } });
  const bytes = `GET /left-pad HTTP/1.1\r\nHost: ${HOST}:${world.port}\r\n\r\n`;
  const answer = await talk(await openTls(world), bytes.repeat(5));
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

test("only so many requests run at one time, the others wait their turn", async () => {
  let running = 0;
  let most = 0;
  const held: (() => void)[] = [];
  const world = await openWorld({
    answer: (_request, response) => {
      running += 1;
      most = Math.max(most, running);
      held.push(() => {
        running -= 1;
        response.end("hello");
      });
    },
    proxy: { limits: { exchangesMax: 2 } },
  });
  const asked = ["/a", "/b", "/c", "/d", "/e"].map((path) => ask(world, path));
  for (let done = 0; done < 5; done += 1) {
    await until(() => held.length > 0);
    held.shift()?.();
  }
  for (const answer of await Promise.all(asked)) expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(most).toBe(2);
});

test("a client that leaves takes its request along", async () => {
  let isClosed = false;
  const world = await openWorld({
    answer: (_request, response) => {
      response.once("close", () => {
        isClosed = true;
      });
      response.writeHead(200).write("hello");
    },
  });
  const socket = await openTls(world);
  socket.write(requestBytes(world, "/left-pad"));
  await new Promise((resolve) => socket.once("data", resolve));
  socket.destroy();
  await until(() => isClosed && world.log.length === 1);
  expect(world.log).toMatchObject([{ verdict: "refused", rule: "upstream" }]);
});

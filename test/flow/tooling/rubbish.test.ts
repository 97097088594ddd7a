import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { RequestGate } from "../../../src/flow/tooling/request-gate.ts";
import { ask, connectTo, socketOf } from "./stage.ts";

const MIB = 1 << 20;

test("a line without an end is cut off as soon as it is too long", async () => {
  const { socket, calls } = await socketOf();
  const connection = await connectTo(socket.path);
  connection.send(`{"id":1,"verb":"bus.post","args":{"text":"${"a".repeat(2 * MIB)}`);
  expect(await connection.next()).toMatchObject({ id: null, error: { code: "LIMIT_EXCEEDED" } });
  expect(await connection.next()).toBe(undefined);
  expect(calls).toEqual([]);
});

test("a long line that is whole is taken, in however many pieces it comes", async () => {
  const { socket, calls } = await socketOf();
  const connection = await connectTo(socket.path);
  const line = `{"id":1,"verb":"bus.post","args":{"text":"${"a".repeat(MIB)}"}}\n`;
  for (let at = 0; at < line.length; at += 100_000) connection.send(line.slice(at, at + 100_000));
  expect(await connection.next()).toMatchObject({ ok: {} });
  expect(calls.length).toBe(1);
});

test("half a line is never a request, and is not waited for endlessly", async () => {
  const { socket, calls } = await socketOf({ patienceMs: 20 });
  const ended = await connectTo(socket.path);
  ended.send('{"id":1,"verb":"state.read"}');
  ended.socket.end();
  expect(await ended.next()).toBe(undefined);
  const waiting = await connectTo(socket.path);
  waiting.send('{"id":1,"verb":"state');
  expect(await waiting.next()).toBe(undefined);
  expect(calls).toEqual([]);
});

test("whoever ends after a whole line still gets the answer", async () => {
  const { socket } = await socketOf();
  const connection = await connectTo(socket.path);
  connection.send('{"id":1,"verb":"state.read"}\n');
  connection.socket.end();
  expect(await connection.next()).toMatchObject({ id: 1, ok: {} });
});

test.each([
  ["bytes that are no text", Buffer.concat([randomBytes(200), Buffer.from([0xff, 10])])],
  ["zeros", Buffer.concat([Buffer.alloc(100), Buffer.from("\n")])],
  ["text that is no JSON", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["a key given twice", Buffer.from('{"id":1,"verb":"state.read","verb":"bus.post"}\n')],
  ["a prototype", Buffer.from('{"id":1,"verb":"state.read","args":{"__proto__":{}}}\n')],
  ["endless depth", Buffer.from(`{"id":1,"args":${"[".repeat(50_000)}${"]".repeat(50_000)}}\n`)],
])("%s ends the connection and does nothing", async (_, bytes) => {
  const { socket, calls } = await socketOf();
  const connection = await connectTo(socket.path);
  connection.send(bytes);
  expect(await connection.next()).toMatchObject({ id: null, error: {} });
  expect(await connection.next()).toBe(undefined);
  expect(calls).toEqual([]);
  expect(await ask(socket.path, "state.read")).toMatchObject({ ok: {} });
});

test.each([
  ["no object", [1, 2]],
  ["null", null],
  ["no verb", { id: 1 }],
  ["a number that is none", { id: "1", verb: "state.read" }],
  ["an unknown verb", { id: 1, verb: "ledger.append" }],
  ["a verb from the prototype", { id: 1, verb: "constructor" }],
  ["arguments that are a list", { id: 1, verb: "state.read", args: [] }],
  ["an argument that is too much", { id: 1, verb: "state.read", args: { all: true } }],
  ["an argument of another type", { id: 1, verb: "bus.post", args: { text: { a: 1 } } }],
])("%s is answered with what is wrong, and the connection goes on", async (_, value) => {
  const { socket, calls } = await socketOf();
  const connection = await connectTo(socket.path);
  connection.send(`${JSON.stringify(value)}\n`);
  expect(await connection.next()).toMatchObject({ error: { code: "INPUT_INVALID" } });
  expect(calls).toEqual([]);
  connection.send({ id: 2, verb: "state.read" });
  expect(await connection.next()).toMatchObject({ id: 2, ok: {} });
});

test("a path that leaves the tree is refused wherever a path is asked for", async () => {
  const { socket, calls } = await socketOf();
  const paths = [
    "/etc/passwd",
    "../x",
    "a/../../x",
    "a//b",
    "./a",
    "a/.",
    "..",
    "a\\..\\b",
    "a\0b",
  ];
  for (const path of paths) {
    const deliver = { artifact: "a", packet_markdown: "p", files: ["ok.txt", path] };
    const answers = [
      await ask(socket.path, "deliver.submit", deliver),
      await ask(socket.path, "check", { report: "No findings.", name: path }),
    ];
    for (const { error } of answers) expect(error.message, path).toContain("inside the work tree");
  }
  expect(calls).toEqual([]);
  const deliver = { artifact: "a", packet_markdown: "p", files: ["src/..hidden/a.ts", ".env"] };
  expect(await ask(socket.path, "deliver.submit", deliver)).toMatchObject({ ok: {} });
});

test("a verb that almost exists is named", async () => {
  const { socket } = await socketOf();
  expect((await ask(socket.path, "bus.pst")).error.message).toContain("did you mean bus.post?");
});

test("behind rubbish nothing is a request, even in the same breath", async () => {
  const { socket, calls } = await socketOf();
  const connection = await connectTo(socket.path);
  connection.send('{"id":1,"verb":"state.read"}\nrubbish\n{"id":2,"verb":"state.read"}\n');
  const answers = [await connection.next(), await connection.next()];
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, null]);
  expect(await connection.next()).toBe(undefined);
  expect(calls.length).toBe(1);
});

test("so many connections and not one more", async () => {
  const { socket } = await socketOf();
  const open = await Promise.all(Array.from({ length: 16 }, () => connectTo(socket.path)));
  for (const connection of open) connection.send({ id: 1, verb: "state.read" });
  for (const connection of open) expect(await connection.next()).toMatchObject({ ok: {} });
  const more = await connectTo(socket.path);
  expect(await more.next()).toMatchObject({ error: { code: "LIMIT_EXCEEDED" } });
  expect(await more.next()).toBe(undefined);
  open[0]?.socket.end();
  expect(await open[0]?.next()).toBe(undefined);
  expect(await ask(socket.path, "state.read")).toMatchObject({ ok: {} });
});

test("a flood is answered no faster than the bounds allow, and not more at once", async () => {
  let [now, atOnce, most] = [0, 0, 0];
  const bounds = { inFlightMax: 4, burst: 10, perSecond: 100 };
  const waits: number[] = [];
  const gate = new RequestGate(bounds, {
    now: () => now,
    wait: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  });
  const one = async () => {
    expect(await gate.enter()).toBe(true);
    atOnce += 1;
    most = Math.max(most, atOnce);
    await Promise.resolve();
    atOnce -= 1;
    gate.leave();
  };
  await Promise.all(Array.from({ length: 60 }, one));
  expect(most).toBe(4);
  expect(now).toBeGreaterThanOrEqual(500);
  expect(waits.length).toBeGreaterThanOrEqual(45);
});

test("many that wait are no leak that Node.js warns of", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const gate = new RequestGate({ inFlightMax: 99, burst: 1, perSecond: 1_000 });
  await Promise.all(Array.from({ length: 30 }, () => gate.enter()));
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

test("long requests count for many, and there is an end to all of them", async () => {
  let now = 0;
  const bounds = { inFlightMax: 99, burst: 100, perSecond: 1, bytesMax: 3 * MIB };
  const gate = new RequestGate(bounds, {
    now: () => now,
    wait: async (ms) => {
      now += ms;
    },
  });
  await gate.enter(MIB);
  expect(now).toBe(0);
  await gate.enter(MIB);
  expect(now).toBeGreaterThanOrEqual(30_000);
  await expect(gate.enter(2 * MIB)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  const { socket, calls } = await socketOf({ bounds: { ...bounds, bytesMax: 100 } });
  const connection = await connectTo(socket.path);
  for (const id of [1, 2, 3, 4]) connection.send({ id, verb: "state.read" });
  const answers = [];
  for (let one = await connection.next(); one; one = await connection.next()) answers.push(one);
  expect(answers.filter(({ error }) => error?.code === "LIMIT_EXCEEDED").length).toBe(1);
  expect(calls.length).toBeLessThan(4);
});

test("a closed gate lets nobody through who was waiting", async () => {
  const gate = new RequestGate({ inFlightMax: 1, burst: 1, perSecond: 1 });
  expect(await gate.enter()).toBe(true);
  const waiting = gate.enter();
  gate.close();
  expect(await waiting).toBe(false);
  const slow = new RequestGate({ inFlightMax: 9, burst: 1, perSecond: 0.001 });
  await slow.enter();
  const late = slow.enter();
  slow.close();
  expect(await late).toBe(false);
});

test("whoever floods without reading the answers is not answered any more, and others are", async () => {
  const bounds = { inFlightMax: 2, burst: 1e6, perSecond: 1e6 };
  const big = { markdown: "x".repeat(MIB) };
  const { socket, calls } = await socketOf({ bounds, patienceMs: 50 }, async () => big);
  const flood = await connectTo(socket.path);
  flood.socket.pause();
  flood.send('{"id":1,"verb":"state.read"}\n'.repeat(5_000));
  // Both places are taken until the patience with the reader that does not read has an end.
  expect(await ask(socket.path, "state.read")).toMatchObject({ ok: {} });
  expect(calls.length).toBeLessThan(20);
});

test("connections that come and go at any moment leave nothing behind", async () => {
  const faults: unknown[] = [];
  const { socket } = await socketOf({ onFault: (error) => faults.push(error) });
  const before = readdirSync("/proc/self/fd").length;
  const beginnings = ["", '{"id":1', '{"id":1,"verb":"state.read"}\n', "rubbish\n"];
  for (let round = 0; round < 25; round += 1) {
    const open = await Promise.all(beginnings.map(() => connectTo(socket.path)));
    for (const [index, connection] of open.entries()) {
      if (beginnings[index] !== "") connection.send(beginnings[index] ?? "");
      connection.socket.destroy();
    }
  }
  expect(await ask(socket.path, "state.read")).toMatchObject({ ok: {} });
  await socket.close();
  expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  expect(faults).toEqual([]);
});

test("an answer that would be too long says so instead", async () => {
  const { socket } = await socketOf({}, async () => ({ markdown: "x".repeat(2 * MIB) }));
  expect(await ask(socket.path, "state.read")).toMatchObject({
    error: { code: "LIMIT_EXCEEDED" },
  });
});

import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SwornError } from "../../../src/base/index.ts";
import { RunSocket } from "../../../src/flow/tooling/run-socket.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { verifies } from "../../verifies.ts";
import { ask, CODER, connectTo, listening, socketOf } from "./stage.ts";

const post = (more: object = {}) => ({ text: "hello", ...more });

verifies(
  "003-12",
  "who speaks is what the socket was made for, and no request changes it",
  async () => {
    const { socket, calls } = await socketOf();
    expect(await ask(socket.path, "bus.post", post())).toEqual({ id: 1, ok: { id: "MSG-1" } });
    expect(calls).toMatchObject([{ verb: "bus.post", args: { text: "hello" }, speaker: CODER }]);
    for (const [name, value] of Object.entries({
      agent: "lead",
      role: "operator",
      run: "20260101-0000000000-9",
      as: "lead",
      from: "lead",
      task: "other",
      actor: { agent: "lead" },
    })) {
      const { error } = await ask(socket.path, "bus.post", post({ [name]: value }));
      expect(error, name).toEqual({
        code: "INPUT_INVALID",
        message: expect.stringMatching(
          new RegExp(`${name} is not a field.*known from the connection`),
        ),
      });
    }
    expect(calls.length).toBe(1);
  },
);

test("an identity beside the arguments is refused as well", async () => {
  const { socket, calls } = await socketOf();
  const connection = await connectTo(socket.path);
  connection.send({ id: 4, verb: "bus.post", args: post(), agent: "lead" });
  expect(await connection.next()).toMatchObject({ id: 4, error: { code: "INPUT_INVALID" } });
  expect(calls).toEqual([]);
});

test("no depth but the socket's own reaches the runner, neither a deeper nor a shallower one", async () => {
  const { socket, calls } = await socketOf();
  for (const depth of [0, 2, 4, 17]) {
    const answer = await ask(socket.path, "run.delegate", { agent: "coder", prompt: "go", depth });
    expect(answer.error.message).toContain("depth is not a field");
  }
  await ask(socket.path, "run.delegate", { agent: "tester", prompt: "go" });
  expect(calls.map(({ speaker }) => speaker.depth)).toEqual([3]);
});

verifies("003-21", "what only the runner says is refused to everybody else", async () => {
  const { socket, calls } = await socketOf();
  for (const kind of ["START", "STOP", "RUN_START", "RUN_STOP", "RUN_CRASH"]) {
    expect(await ask(socket.path, "bus.post", post({ kind }))).toEqual({
      id: 1,
      refused: { rule: "ROLE_GUARD", reason: expect.stringContaining(`${kind} is the runner's`) },
    });
  }
  expect(calls).toEqual([]);
});

test("an agent speaks neither as the operator nor answers in a person's place", async () => {
  const { socket, calls } = await socketOf();
  const { refused } = await ask(socket.path, "bus.post", post({ kind: "USER" }));
  expect(refused).toMatchObject({ rule: "ROLE_GUARD" });
  for (const verb of ["answer", "question.answer", "ask.answer", "fact.promote", "exception.add"]) {
    expect((await ask(socket.path, verb, { question: "q1", answer: "yes" })).error).toMatchObject({
      code: "INPUT_INVALID",
    });
  }
  const withAnswer = { question: "q1", answer: "yes" };
  expect((await ask(socket.path, "ask", withAnswer)).error.message).toContain(
    "answer is not a field",
  );
  expect(calls).toEqual([]);
});

test("the operator may say what is a person's to say", async () => {
  const speaker = { ...CODER, agent: "mara", role: "operator" } as const;
  const { socket } = await socketOf({ speaker });
  expect(await ask(socket.path, "bus.post", post({ kind: "USER" }))).toMatchObject({ ok: {} });
});

test("over a second run's socket only the second run speaks", async () => {
  const [one, other] = [
    await socketOf(),
    await socketOf({ speaker: { ...CODER, agent: "tester", depth: 0 } }),
  ];
  await ask(other.socket.path, "bus.post", post());
  expect(one.calls).toEqual([]);
  expect(other.calls[0]?.speaker).toMatchObject({ agent: "tester", depth: 0 });
});

test("after the run nothing is said any more, whether connected before or not", async () => {
  const { socket, calls } = await socketOf();
  const connection = await connectTo(socket.path);
  connection.send({ id: 1, verb: "state.read" });
  await connection.next();
  await socket.close();
  connection.send({ id: 2, verb: "bus.post", args: post() });
  expect(await connection.next()).toBe(undefined);
  await expect(connectTo(socket.path)).rejects.toMatchObject({ code: "ENOENT" });
  expect(existsSync(socket.path)).toBe(false);
  expect(calls.map(({ verb }) => verb)).toEqual(["state.read"]);
});

/** A promise that somebody else settles. */
function later() {
  let settle = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

test("closing waits for what is being answered, and what that asks for is not done any more", async () => {
  const [begun, held] = [later(), later()];
  let outcome: object = {};
  const { socket, calls } = await socketOf({
    openMcp: (asking) => async () => {
      begun.settle();
      await held.promise;
      outcome = await asking("bus.post", { text: "too late" });
      return {};
    },
  });
  const connection = await connectTo(socket.path);
  connection.send({ id: 1, verb: "mcp.open" });
  await connection.next();
  connection.send({ jsonrpc: "2.0", id: 1, method: "x" });
  await begun.promise;
  let isClosed = false;
  const closing = socket.close().then(() => {
    isClosed = true;
  });
  expect(await connection.next()).toBe(undefined);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  held.settle();
  await closing;
  expect(outcome).toEqual({ error: { code: "NOT_FOUND", message: "the run is over" } });
  expect(calls).toEqual([]);
});

test("closing one run's socket takes no other's away, and leaves no descriptor behind", async () => {
  const count = () => readdirSync("/proc/self/fd").length;
  const first = await socketOf();
  const before = count();
  const others = [await socketOf(), await socketOf()];
  await first.socket.close();
  for (const { socket } of others) {
    expect(await ask(socket.path, "state.read")).toMatchObject({ ok: {} });
    expect(existsSync(socket.path)).toBe(true);
    await socket.close();
    await socket.close();
  }
  expect(count()).toBeLessThanOrEqual(before);
});

test("only the owner of the folder can connect, however long its path is", async () => {
  const folder = join(temporaryFolder(), "a".repeat(120));
  mkdirSync(folder, { mode: 0o700 });
  const { socket } = await socketOf({ folder });
  expect(statSync(socket.path).mode & 0o777).toBe(0o600);
  const owner = { uid: 65_534, gid: 65_534 };
  if (process.getuid?.() === 0) {
    const given = await socketOf({ owner });
    expect(statSync(given.socket.path)).toMatchObject(owner);
  }
});

test("a socket is not made where something else lies, or where there is no folder", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "run.sock"), "");
  const options = { speaker: CODER, functions: listening([]) };
  await expect(RunSocket.listen({ ...options, folder })).rejects.toThrow(SwornError);
  chmodSync(folder, 0o700);
  const nowhere = join(folder, "nowhere");
  await expect(RunSocket.listen({ ...options, folder: nowhere })).rejects.toThrow(SwornError);
});

test("what fails behind the socket tells the run nothing about the host", async () => {
  const faults: unknown[] = [];
  const failing = async () => {
    throw new SwornError("STORE_UNREADABLE", "/home/mara/project/.sworn is gone");
  };
  const { socket } = await socketOf({ onFault: (error) => faults.push(error) }, failing);
  const { error } = await ask(socket.path, "state.read");
  expect(error).toEqual({
    code: "STORE_UNREADABLE",
    message: "state.read could not be done; whoever runs this sees why",
  });
  expect(faults).toMatchObject([{ message: expect.stringContaining("/home/mara") }]);
});

test("what is not there to be asked is said to be so, and is no answer", async () => {
  const { socket } = await socketOf({}, async () => ({ kind: "unavailable", reason: "not yet" }));
  expect(await ask(socket.path, "review.status", { artifact: "a" })).toEqual({
    id: 1,
    refused: { rule: "NOT_AVAILABLE", reason: "not yet" },
  });
});

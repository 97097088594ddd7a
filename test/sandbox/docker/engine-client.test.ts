import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { EngineClient } from "../../../src/sandbox/docker/engine-client.ts";
import { askFacts, negotiate } from "../../../src/sandbox/docker/engine-facts.ts";
import { FrameReader, splitFrames } from "../../../src/sandbox/docker/frames.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

/** An engine that answers whatever a test wants it to. */
async function engineThat(
  answer: RequestListener,
): Promise<{ client: EngineClient; server: Server }> {
  const socket = join(temporaryFolder(), "s");
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const client = new EngineClient(socket);
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, server };
}

const frame = (stream: number, bytes: string | Buffer): Buffer => {
  const payload = Buffer.from(bytes);
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
};

test("an engine's no is told in its own words", async () => {
  const { client } = await engineThat((_request, response) => {
    response.writeHead(409).end('{"message":"the name is taken"}');
  });
  await expect(
    client.call({ method: "POST", path: "/containers/create", body: {} }),
  ).rejects.toThrow(
    /POST \/containers\/create at the engine .*: it answered 409: the name is taken/,
  );
});

test("a status that was expected is an answer", async () => {
  const { client } = await engineThat((_request, response) => response.writeHead(404).end("{}"));
  const call = { method: "GET", path: "/x", expected: [404] } as const;
  expect(await client.call(call)).toEqual({ status: 404, body: {} });
});

test("an endless answer is not read to its end", async () => {
  let written = 0;
  const { client } = await engineThat((_request, response) => {
    const part = Buffer.alloc(1 << 20, 0x20);
    const more = (): void => {
      if (response.destroyed) return;
      written += part.length;
      response.write(part, () => setImmediate(more));
    };
    more();
  });
  await expect(client.call({ method: "GET", path: "/x" })).rejects.toThrow(
    /more than 8388608 bytes/,
  );
  expect(written).toBeLessThan(64 << 20);
});

test("an answer that is no JSON, or JSON that says a thing twice, is a failure", async () => {
  const answers = ["<html>", '{"a":1,"a":2}'];
  const { client } = await engineThat((_request, response) => response.end(answers.shift()));
  await expect(client.call({ method: "GET", path: "/x" })).rejects.toThrow(/not JSON/);
  await expect(client.call({ method: "GET", path: "/x" })).rejects.toThrow(/given twice/);
});

test("a socket that nobody listens on is a failure that names it", async () => {
  const client = new EngineClient(join(temporaryFolder(), "nobody"));
  await expect(client.call({ method: "GET", path: "/x" })).rejects.toMatchObject({
    code: "SANDBOX_FAILED",
    message: expect.stringContaining("nobody"),
  });
});

test("an engine that cuts its answer short is a failure", async () => {
  const { client } = await engineThat((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("{", () => response.destroy());
  });
  await expect(client.call({ method: "GET", path: "/x" })).rejects.toMatchObject({
    code: "SANDBOX_FAILED",
  });
});

test.each([
  ["1.41", "1.12", "/v1.41/info"],
  ["1.52", "1.44", "/v1.47/info"],
])("an engine that speaks up to %s and from %s on is asked at %s", async (newest, oldest, path) => {
  const asked: string[] = [];
  const { client } = await engineThat((request, response) => {
    asked.push(request.url ?? "");
    response.end(JSON.stringify({ ApiVersion: newest, MinAPIVersion: oldest }));
  });
  await negotiate(client);
  await expect(askFacts(client)).rejects.toThrow(/does not say what it can do/);
  expect(asked).toEqual(["/version", path]);
});

test.each([
  [{ ApiVersion: "1.40" }, /speaks 1\.0 to 1\.40/],
  [{ ApiVersion: "1.60", MinAPIVersion: "1.48" }, /speaks 1\.48 to 1\.60/],
  [{ ApiVersion: "2.0" }, /does not answer like an engine/],
  ["hello", /does not answer like an engine/],
])("an engine that answers %j is not spoken to", async (answer, reason) => {
  const { client } = await engineThat((_request, response) => response.end(JSON.stringify(answer)));
  await expect(negotiate(client)).rejects.toThrow(reason);
});

test("a refused upgrade is told in the engine's words", async () => {
  const { client } = await engineThat((_request, response) => {
    response.writeHead(404).end('{"message":"no such container"}');
  });
  await expect(client.hijack({ method: "POST", path: "/containers/x/attach" })).rejects.toThrow(
    /404: no such container/,
  );
});

test("bytes that came with the upgrade are not lost", async () => {
  const { client, server } = await engineThat(() => undefined);
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nhello");
  });
  const stream = await client.hijack({ method: "POST", path: "/containers/x/attach" });
  expect(await text(stream)).toBe("hello");
});

test("frames give the same bytes however they are cut", () => {
  const piece = fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 40 }));
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.integer({ min: 1, max: 17 }),
      (pieces, cut) => {
        const all = Buffer.concat(
          pieces.map(([stream, bytes]) => frame(stream, Buffer.from(bytes))),
        );
        const out = { stdout: "", stderr: "" };
        const reader = new FrameReader((stream, bytes) => {
          out[stream] += bytes.toString("hex");
        });
        for (let at = 0; at < all.length; at += cut) reader.push(all.subarray(at, at + cut));
        const hex = (wanted: number): string =>
          pieces
            .map(([stream, bytes]) => (stream === wanted ? Buffer.from(bytes).toString("hex") : ""))
            .join("");
        expect(out).toEqual({ stdout: hex(1), stderr: hex(2) });
        expect(reader.isWhole).toBe(true);
      },
    ),
  );
});

test.each(["0000000000000001", "0300000000000001", "0100010000000001"])(
  "%s is no header of a frame",
  (hex) => {
    const reader = new FrameReader(() => undefined);
    expect(() => reader.push(Buffer.from(hex, "hex"))).toThrow(/header of a frame was expected/);
  },
);

const streams = () => ({ stdout: new PassThrough(), stderr: new PassThrough() });

test.each<[string, (from: PassThrough) => void]>([
  ["ends within a frame", (from) => from.end(frame(1, "hello").subarray(0, 10))],
  ["ends within a header", (from) => from.end(frame(1, "hello").subarray(0, 5))],
  ["breaks", (from) => from.destroy()],
  ["fails", (from) => from.destroy(new Error("reset"))],
])("a connection that %s is a failure, and both streams end", async (_how, act) => {
  const [from, to] = [new PassThrough(), streams()];
  const { done } = splitFrames(from, to);
  act(from);
  await expect(done).rejects.toThrow(/in the middle/);
  expect((await text(to.stdout)).length).toBeLessThan(5);
  expect(await text(to.stderr)).toBe("");
});

test("a connection that carries no frames is a failure", async () => {
  const [from, to] = [new PassThrough(), streams()];
  const { done } = splitFrames(from, to);
  from.write("HTTP/1.1 200 OK");
  await expect(done).rejects.toThrow(/header of a frame was expected/);
  expect(from.destroyed).toBe(true);
});

test("a reader that went away does not hold up the other stream", async () => {
  const [from, to] = [new PassThrough(), streams()];
  const { done } = splitFrames(from, to);
  to.stdout.destroy();
  from.write(frame(1, Buffer.alloc(1 << 20)));
  from.end(frame(2, "still here"));
  expect(await text(to.stderr)).toBe("still here");
  await done;
});

test("a slow reader makes the engine wait instead of filling memory", async () => {
  const [from, to] = [new PassThrough(), streams()];
  const { done } = splitFrames(from, to);
  const part = frame(1, Buffer.alloc(64 << 10, 0x61));
  let count = 0;
  while (count < 1_000 && from.write(part)) {
    count += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(count).toBeLessThan(10);
  from.end();
  expect((await text(to.stdout)).length).toBe((count + 1) * (64 << 10));
  await done;
});

test("what is left after a task's end is taken in without waiting for a reader", async () => {
  const [from, to] = [new PassThrough({ highWaterMark: 1 << 20 }), streams()];
  const { done, drain } = splitFrames(from, to);
  from.end(Buffer.concat(Array.from({ length: 8 }, () => frame(1, Buffer.alloc(64 << 10)))));
  drain();
  await done;
  expect((await text(to.stdout)).length).toBe(8 * (64 << 10));
});

import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { ChunkDecoder } from "../../src/egress/chunk-decoder.ts";
import { ask, openWorld, refusedBy, until, type World } from "./world.ts";

/** An upstream that says exactly these bytes and closes. */
function saying(bytes: string): Promise<World> {
  return openWorld({
    answer: (request) => void request.socket.end(Buffer.from(bytes, "latin1")),
  });
}

test("an answer whose length can be read in two ways is refused", async () => {
  for (const headers of [
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: 5\r\nContent-Length: 5",
    "Content-Length: 5, 5",
    "Content-Length: +5",
    "Content-Length: 0x5",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: identity",
  ]) {
    const world = await saying(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\nhello`);
    expect([headers, refusedBy(await ask(world, "/left-pad"))]).toEqual([headers, "framing"]);
  }
});

test("an answer that is not well formed is refused", async () => {
  for (const bytes of [
    "HTTP/2 200 OK\r\n\r\n",
    "HTTP/1.1 20 OK\r\n\r\n",
    "ICY 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nName : value\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n",
    `HTTP/1.1 200 OK\r\nA: ${"b".repeat(40_000)}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(200)}\r\n`,
    "HTTP/1.1 103 Wait\r\n\r\n".repeat(10),
    "HTTP/1.1 200 OK\r\nContent-Le",
    "",
  ]) {
    const world = await saying(bytes);
    expect([bytes, refusedBy(await ask(world, "/left-pad"))]).toEqual([bytes, "upstream"]);
  }
});

test("a few interim heads may come before the answer", async () => {
  const world = await saying(
    "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
  );
  const answer = await ask(world, "/left-pad");
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(answer).not.toContain("Link");
});

test("an answer without a length ends with its connection and is passed on in chunks", async () => {
  const world = await saying("HTTP/1.1 200 OK\r\n\r\nhello");
  const answer = await ask(world, "/left-pad");
  expect(answer).toMatch(/transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/);
});

test("more bytes than announced are not passed on", async () => {
  const world = await saying("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloPOISON");
  expect(await ask(world, "/left-pad")).not.toContain("POISON");
});

test("chunks with extensions, trailers or wrong sizes break the answer off", async () => {
  for (const body of [
    "5;x=y\r\nhello\r\n0\r\n\r\n",
    "5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n",
    "5\r\nhelloX\r\n0\r\n\r\n",
    "-5\r\nhello\r\n0\r\n\r\n",
    "5\nhello\r\n0\r\n\r\n",
    "5\r\nhello\r\n",
    "123456789\r\nhello",
    "5\r\nhello\r\n0\r\n\r\nPOISON",
    `${"0".repeat(64)}5\r\nhello\r\n0\r\n\r\n`,
  ]) {
    const world = await saying(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
    const answer = await ask(world, "/left-pad");
    expect([body, answer.endsWith("0\r\n\r\n")]).toEqual([body, false]);
    expect(answer).not.toContain("POISON");
    await until(() => world.log.length === 1);
    expect(world.log).toMatchObject([{ verdict: "refused", rule: "upstream" }]);
  }
});

test("a chunked body is the same however it is cut into pieces", () => {
  const bytes = Buffer.from("5\r\nhello\r\n1\r\n \r\nA\r\n0123456789\r\n0\r\n\r\n");
  for (let size = 1; size <= bytes.length; size += 1) {
    let text = "";
    const decoder = new ChunkDecoder((piece) => {
      text += String(piece);
    });
    for (let at = 0; at < bytes.length; at += size) {
      expect(decoder.isOver).toBe(false);
      decoder.write(bytes.subarray(at, at + size));
    }
    expect([size, text, decoder.isOver]).toEqual([size, "hello 0123456789", true]);
  }
});

test("what upstream says unasked on a kept connection closes it, and answers nobody", async () => {
  const sockets: Socket[] = [];
  const world = await openWorld({
    answer: (request, response) => {
      sockets.push(request.socket);
      response.end("hello");
    },
  });
  expect(await ask(world, "/one")).toContain("hello");
  // The server would close the connection by itself after a while.
  sockets[0]?.setTimeout(0);
  sockets[0]?.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nPOISON");
  await until(() => sockets[0]?.destroyed === true);
  expect(await ask(world, "/two")).toContain("hello");
  expect(new Set(sockets).size).toBe(2);
});

test("a connection is kept for the next request, and a closed one is replaced", async () => {
  const sockets = new Set<unknown>();
  let closeNext = false;
  const world = await openWorld({
    answer: (request, response) => {
      sockets.add(request.socket);
      response.end("hello", () => {
        if (closeNext) request.socket.destroy();
      });
    },
  });
  await ask(world, "/one");
  closeNext = true;
  await ask(world, "/two");
  expect(sockets.size).toBe(1);
  expect(await ask(world, "/three")).toContain("hello");
  expect(sockets.size).toBe(2);
});

import { createHash, randomBytes } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { openTls, openWorld, requestBytes, type World } from "./world.ts";

const BYTES = 12 * 2 ** 20;

/** The hash of an answer's body; a slow client stops to rest after every so many pieces. */
async function download(world: World, path: string, restEvery: number): Promise<string> {
  const socket: TLSSocket = await openTls(world);
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunks.length % restEvery !== 0) return;
      socket.pause();
      setImmediate(() => socket.resume());
    });
    socket.once("close", () => {
      const all = Buffer.concat(chunks);
      const body = all.subarray(all.indexOf("\r\n\r\n") + 4);
      resolve(createHash("sha256").update(body).digest("hex"));
    });
    socket.write(requestBytes(world, path));
  });
}

test("large answers arrive byte for byte, several at one time, with slow and quick clients", async () => {
  const bodies = ["/a", "/b", "/c", "/d"].map((path) => [path, randomBytes(BYTES)] as const);
  const hashes = bodies.map(([, body]) => createHash("sha256").update(body).digest("hex"));
  const served = new Map<string | undefined, Buffer>(bodies);
  const world = await openWorld({
    answer: (request, response) => response.end(served.get(request.url)),
  });
  const got = await Promise.all(bodies.map(([path], at) => download(world, path, 1 + 7 * at)));
  expect(got).toEqual(hashes);
  expect(world.log.every(({ bytesIn }) => bytesIn > BYTES)).toBe(true);
});

test("a client that stops reading holds upstream back instead of filling memory", async () => {
  let sent = 0;
  const piece = Buffer.alloc(65_536);
  const world = await openWorld({
    answer: (_request, response) => {
      response.writeHead(200, { "content-length": String(2 ** 30) });
      const send = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
        sent += piece.length;
        response.once("drain", send);
      };
      send();
    },
  });
  const socket = await openTls(world);
  socket.write(requestBytes(world, "/large"));
  await new Promise((resolve) => socket.once("readable", resolve));
  // Nothing is read any more: what was sent comes to a standstill.
  let before = -1;
  while (sent !== before) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect(sent).toBeLessThan(32 * 2 ** 20);
  socket.destroy();
});

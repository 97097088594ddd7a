import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { RpcPeer } from "../../../src/agent/inside/rpc-peer.ts";

const LIMITS = { bytesMax: 1_000, unsentBytesMax: 1_000 };

function connected() {
  const input = new PassThrough();
  // It takes the first piece, and is never done with it.
  const out = new Writable({ write: () => {} });
  const answer = "x".repeat(100);
  const handlers = { request: () => answer, notification: () => {}, unread: () => {} };
  return { input, out, peer: new RpcPeer(input, out, handlers, LIMITS) };
}

test("one that sends more than it may is not listened to any more", async () => {
  const { input, peer } = connected();
  const asked = peer.call("session/prompt", {});
  for (let line = 0; line < 20; line += 1) {
    input.write(`{"method":"note","params":{"text":"${"y".repeat(100)}"}}\n`);
  }
  input.write('{"id":1,"result":{"stopReason":"end_turn"}}\n');
  await expect(asked).rejects.toThrow("it sent more than 1000 bytes");
  await expect(peer.call("session/prompt", {})).rejects.toThrow("it sent more than 1000 bytes");
});

test("one that asks and does not read the answers is given up", async () => {
  const { input, out, peer } = connected();
  const asked = peer.call("session/prompt", {});
  for (let id = 100; id < 130; id += 1) input.write(`{"id":${id},"method":"m"}\n`);
  await expect(asked).rejects.toThrow("it does not read what is sent to it");
  expect(out.writableLength).toBeLessThan(2_000);
});

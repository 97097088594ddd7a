import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HeadedStream } from "../../../src/sandbox/docker/headed-stream.ts";

test("the head and the rest are told apart however the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 40 }),
      fc.integer({ min: 1, max: 60 }),
      async (head, rest, cut) => {
        const stream = new HeadedStream(head);
        const all = Buffer.from("h".repeat(head) + rest);
        for (let at = 0; at < all.length; at += cut) stream.write(all.subarray(at, at + cut));
        stream.end();
        expect((await stream.head).toString()).toBe("h".repeat(head));
        expect(await text(stream)).toBe(rest);
      },
    ),
  );
});

test("a stream that ends within its head is a failure that says how far it came", async () => {
  const stream = new HeadedStream(10);
  stream.end("half");
  stream.resume();
  await expect(stream.head).rejects.toThrow(/ended before its task could begin: 4 of 10 bytes/);
});

test("whoever listens after the head was taken hears the rest", async () => {
  const stream = new HeadedStream(2);
  stream.write("ab");
  await stream.head;
  const heard = new Promise((resolve) => stream.on("data", (part) => resolve(String(part))));
  stream.write("cd");
  expect(await heard).toBe("cd");
  stream.destroy();
});

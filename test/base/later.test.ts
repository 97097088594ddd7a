import { expect, test } from "vitest";
import { later, readMeanwhile } from "../../src/base/index.ts";

test("a part is read when it is called for, and in the meantime once", async () => {
  const read: string[] = [];
  const part = later(async () => read.push("part"));
  expect(read).toEqual([]);
  await readMeanwhile();
  expect(read).toEqual(["part"]);
  await readMeanwhile();
  expect(read).toEqual(["part"]);
  await part();
  expect(read).toEqual(["part", "part"]);
});

test("others have their turn between two parts", async () => {
  const order: string[] = [];
  later(async () => order.push("first"));
  later(async () => {
    order.push("second");
  });
  const reading = readMeanwhile();
  setImmediate(() => order.push("other"));
  await reading;
  expect(order).toEqual(["first", "other", "second"]);
});

test("what cannot be read is heard of by whoever calls for it, and by nobody else", async () => {
  const part = later(() => Promise.reject(new Error("it is not there")));
  const next = later(async () => "next");
  await expect(readMeanwhile()).resolves.toBe(undefined);
  await expect(part()).rejects.toThrow("it is not there");
  await expect(next()).resolves.toBe("next");
});

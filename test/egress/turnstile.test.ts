import { expect, test } from "vitest";
import { Turnstile } from "../../src/egress/turnstile.ts";

const stays = () => new AbortController().signal;

test("those who wait come in by their order, one for each that leaves", async () => {
  const turnstile = new Turnstile(1);
  const leave = await turnstile.enter(stays());
  const order: string[] = [];
  const waiting = ["a", "b"].map(async (name) => {
    const leaveNext = await turnstile.enter(stays());
    order.push(name);
    leaveNext?.();
  });
  expect(order).toEqual([]);
  leave?.();
  await Promise.all(waiting);
  expect(order).toEqual(["a", "b"]);
});

test("leaving twice gives one place", async () => {
  const turnstile = new Turnstile(1);
  const leave = await turnstile.enter(stays());
  leave?.();
  leave?.();
  expect(await turnstile.enter(stays())).toBeDefined();
  const gives = new AbortController();
  const second = turnstile.enter(gives.signal);
  gives.abort();
  expect(await second).toBeUndefined();
});

test("whoever gives up, before or while waiting, takes no place along", async () => {
  const turnstile = new Turnstile(1);
  expect(await turnstile.enter(AbortSignal.abort())).toBeUndefined();
  const leave = await turnstile.enter(stays());
  expect(leave).toBeDefined();
  const gives = new AbortController();
  const waiting = turnstile.enter(gives.signal);
  gives.abort();
  expect(await waiting).toBeUndefined();
  leave?.();
  expect(await turnstile.enter(stays())).toBeDefined();
});

test("a place that was given in the moment of giving up is not lost", async () => {
  const turnstile = new Turnstile(1);
  const leave = await turnstile.enter(stays());
  const gives = new AbortController();
  const waiting = turnstile.enter(gives.signal);
  leave?.();
  gives.abort();
  (await waiting)?.();
  expect(await turnstile.enter(stays())).toBeDefined();
});

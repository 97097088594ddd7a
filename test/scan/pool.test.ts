import { afterEach, expect, test } from "vitest";
import { ReviewPool } from "../../src/scan/index.ts";

const FILE = { path: "a.js", text: "module.exports = (a) => eval(a);\n" };
const LONG = { path: "long.js", text: `${FILE.text}// ${"word ".repeat(8_000)}\n` };
const built: { ReviewPool: typeof ReviewPool } = await import(
  new URL("../../dist/scan/index.js", import.meta.url).href
);
const pools: ReviewPool[] = [];

function made(Pool: typeof ReviewPool): ReviewPool {
  const pool = new Pool(1);
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((one) => one.close()));
});

// Here, in the source, there is no built thread to start: what needs one fails.
test("a small file needs no thread, and a long one and all after it do", async () => {
  const pool = made(ReviewPool);
  const small = await pool.review(FILE, ["security"]);
  expect(small).toMatchObject([{ found: [{}], leftOut: [] }]);
  for (const file of [LONG, FILE]) {
    const [outcome] = await pool.review(file, ["security"]);
    expect(outcome).toMatchObject({ failed: expect.stringContaining("its thread ended") });
  }
});

test("what was found without a thread is what is found in one", async () => {
  const reviewers = ["security", "secret", "correctness"];
  const here = await made(built.ReviewPool).review(FILE, reviewers);
  const pool = made(built.ReviewPool);
  await pool.review(LONG, []);
  expect(await pool.review(FILE, reviewers)).toEqual(here);
  expect(here).toHaveLength(3);
});

test("what fails is asked again in a thread, which tells it", async () => {
  const outcomes = await made(built.ReviewPool).review(FILE, ["nobody"]);
  expect(outcomes).toEqual([{ reviewer: "nobody", failed: "there is no such reviewer" }]);
  const [lost] = await made(ReviewPool).review(FILE, ["nobody"]);
  expect(lost).toMatchObject({ failed: expect.stringContaining("its thread ended") });
});

test("a closed pool reviews nothing, however small", async () => {
  const pool = made(ReviewPool);
  await pool.close();
  const outcomes = await pool.review(FILE, ["secret"]);
  expect(outcomes).toEqual([{ reviewer: "secret", failed: "the review was stopped" }]);
});

import { expect, test } from "vitest";
import type { JudgeWord } from "../../../src/run/proof/index.ts";
import { ProofWorld } from "./proof-world.ts";

const PROOF = { kind: "judge", criterion: "It is polite.", rubric: "Look for please." };
const WORK = [{ "a.txt": "one\n" }, { "a.txt": "please\n" }] as const;

function saying(word: JudgeWord, asked: unknown[] = []) {
  return async (...question: unknown[]) => {
    asked.push(...question);
    return word;
  };
}

test("a judge sees the criterion, the rubric and what the work changed, and decides from 70 on", async () => {
  const world = await ProofWorld.of(...WORK);
  const asked: unknown[] = [];
  const verdict = async (points: number, pass: boolean) => {
    const judge = saying({ points, pass, reason: "so it is" }, asked);
    return (await world.prove(PROOF, { judge })).verdict;
  };
  expect(await verdict(70, true)).toBe("pass");
  expect(asked).toEqual(["It is polite.", "Look for please.", "a.txt:1\n+please\na.txt:1\n-one"]);
  expect(await verdict(69, true)).toBe("unproven");
  expect(await verdict(69.9, true)).toBe("unproven");
  expect(await verdict(90, false)).toBe("fail");
  expect(await verdict(10, false)).toBe("unproven");
  expect(await verdict(Number.NaN, true)).toBe("unproven");
  expect(await verdict(101, true)).toBe("unproven");
});

test("a judge that fails, or is not there, has proven nothing", async () => {
  const world = await ProofWorld.of(...WORK);
  const judge = () => Promise.reject(new Error("no model"));
  const failed = await world.prove(PROOF, { judge });
  expect(failed).toMatchObject({
    verdict: "unproven",
    reason: expect.stringContaining("no model") as string,
  });
  expect((await world.prove(PROOF)).verdict).toBe("unproven");
});

test("a judge is shown at most 500 lines, and told that there were more", async () => {
  const world = await ProofWorld.of(...WORK);
  const asked: string[] = [];
  const judge = saying({ points: 80, pass: true, reason: "" }, asked);
  await world.prove(PROOF, { judge, output: "line\n".repeat(2_000) });
  const lines = asked[2]?.split("\n") ?? [];
  expect(lines.length).toBe(500);
  expect(lines.at(-1)).toBe("[more was left out here]");
  const none = await world.prove(PROOF, { judge, output: " \n" });
  expect(none.verdict).toBe("unproven");
});

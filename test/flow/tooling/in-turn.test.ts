import { expect, test } from "vitest";
import { InTurn } from "../../../src/flow/tooling/in-turn.ts";

test("one is done after the other, with a rest between them, and a failure stops nobody", async () => {
  const steps: string[] = [];
  const turns = new InTurn(async () => {
    steps.push("rest");
  });
  const work = (name: string) =>
    turns.run(async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      if (name === "b") throw new Error("b fails");
      return name;
    });
  const all = await Promise.allSettled([work("a"), work("b"), work("c")]);
  expect(all).toMatchObject([{ value: "a" }, { reason: { message: "b fails" } }, { value: "c" }]);
  expect(steps.slice(0, 8)).toEqual([
    ...["a begins", "a ends", "rest", "b begins", "b ends", "rest"],
    ...["c begins", "c ends"],
  ]);
});

import { expect, test } from "vitest";
import { checkTogether } from "../../src/flow/check-together.ts";
import type { CheckedFinding, Finding } from "../../src/schema/finding.ts";

const finding = (number: number): Finding => ({
  id: `A-${number}`,
  title: "Something is wrong here",
  priority: "P2",
  citations: [{ file: "a.ts" }],
});

test("findings come back in their order, and no more are under way than may be", async () => {
  const findings = Array.from({ length: 200 }, (_, number) => finding(number));
  let [underWay, most] = [0, 0];
  const check = async (one: Finding): Promise<CheckedFinding> => {
    underWay += 1;
    most = Math.max(most, underWay);
    // The first ones take longest, so that an order by their end would show.
    for (let turn = 200 - Number(one.id.slice(2)); turn > 0; turn -= 1) await Promise.resolve();
    underWay -= 1;
    return { finding: one, verdict: "UNVERIFIED", reason: "", identity: "0".repeat(64) };
  };
  const checked = await checkTogether(findings, check);
  expect(checked.map((one) => one.finding)).toEqual(findings);
  expect(most).toBe(64);
});

test("an error in one is the error of all", async () => {
  const fail = () => Promise.reject(new Error("git died"));
  await expect(checkTogether([finding(1), finding(2)], fail)).rejects.toThrow("git died");
});

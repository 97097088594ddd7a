import { expect, test } from "vitest";
import { ForgeClient } from "../../../../src/flow/deliver/task/forge-client.ts";
import { FakeForge } from "./fake-forge.ts";

const TOKEN = "not-a-real-token-0123456789";
const ASKED = { title: "t", body: "b", head: "sworn/x", base: "main" };

async function start() {
  const forge = await FakeForge.start();
  const waits: number[] = [];
  const steps: string[] = [];
  const client = new ForgeClient({
    ...{ api: forge.api, repository: "team/app", token: TOKEN },
    signal: new AbortController().signal,
    onStep: (words) => steps.push(words),
    pause: async (ms) => waits.push(ms),
  });
  return { forge, client, waits, steps };
}

test("a forge that is busy or broken is asked again, as late as it says", async () => {
  const { forge, client, waits, steps } = await start();
  forge.faults.push({ status: 500 }, { status: 429, headers: { "retry-after": "7" } });
  expect(await client.find("sworn/x")).toBeUndefined();
  expect(waits).toEqual([500, 7_000]);
  expect(steps.join(" ")).not.toContain(TOKEN);
  forge.faults.push(...Array.from({ length: 4 }, () => ({ status: 500 })));
  await expect(client.find("sworn/x")).rejects.toThrow(/answered 500, 4 times/);
});

test("a request that may have been taken is not sent twice", async () => {
  const { forge, client } = await start();
  forge.faults.push({ status: 500 });
  await expect(client.open(ASKED)).rejects.toThrow(/answered 500/);
  expect(forge.asked).toHaveLength(1);
  forge.faults.push({ status: 429 });
  expect(await client.open(ASKED)).toMatchObject({ number: 1 });
});

test("a redirect is not followed, so that the token goes nowhere else", async () => {
  const { forge, client } = await start();
  const other = await FakeForge.start();
  forge.faults.push({ status: 307, headers: { location: `${other.api}/repos/team/app/pulls` } });
  await expect(client.open(ASKED)).rejects.toThrow(/answered 307.*redirects are not followed/);
  expect(other.asked).toEqual([]);
  expect(forge.asked[0]?.authorization).toBe(`Bearer ${TOKEN}`);
});

test("a token that the forge repeats is in no message", async () => {
  const { forge, client } = await start();
  const said = `bad credentials \u001b[31m${TOKEN} for team/app`;
  forge.faults.push({ status: 401, body: { message: said } });
  const error = await client.open(ASKED).catch((one: Error) => one);
  expect(String(error)).toContain("[token]");
  expect(String(error)).not.toContain(TOKEN);
  expect(String(error)).not.toContain("\u001b");
  expect(String(error)).toContain("look at the token that token_env names");
});

test("an answer in another form, and one without end, is no answer", async () => {
  const { forge, client } = await start();
  forge.faults.push({ status: 200, body: [{ number: "one" }] });
  await expect(client.find("sworn/x")).rejects.toThrow(/in a form that no forge has/);
  forge.faults.push({ status: 201, body: { more: "x".repeat(2 << 20) } });
  await expect(client.open(ASKED)).rejects.toThrow(/more than 1048576 bytes/);
});

test("the request of another branch is not taken for ours", async () => {
  const { forge, client } = await start();
  await client.open({ ...ASKED, head: "sworn/other" });
  expect(await client.find("sworn/x")).toBeUndefined();
  expect(forge.asked[1]?.path).toContain("head=team%3Asworn%2Fx");
});

import { expect, test } from "vitest";
import { commentOf, MARKER, postTable } from "../../../src/flow/ci/post-table.ts";
import { FakeForge } from "../deliver/task/fake-forge.ts";

const TOKEN = "not-a-real-token-0123456789";

async function start() {
  const forge = await FakeForge.start();
  const post = (text: string) =>
    postTable(
      {
        ...{ api: forge.api, repository: "team/app", token: TOKEN, tokenFrom: "SWORN_CI_TOKEN" },
        signal: new AbortController().signal,
        onStep: () => {},
        pause: async () => {},
      },
      7,
      commentOf(text),
    );
  return { forge, post };
}

test("there is one comment, however often it is written", async () => {
  const { forge, post } = await start();
  expect(await post("first\n")).toMatchObject({ did: "written" });
  expect(await post("first\n")).toMatchObject({ did: "unchanged" });
  expect(await post("second\n")).toMatchObject({ did: "updated" });
  expect(forge.comments.map(({ body }) => body)).toEqual([`${MARKER}\nsecond\n`]);
});

test("a comment of somebody else with our mark is not taken for ours", async () => {
  const { forge, post } = await start();
  forge.addComment(`${MARKER}\nall is well`, { login: "eve", type: "User" });
  expect(await post("truth\n")).toMatchObject({ did: "written" });
  forge.login = "mara";
  forge.addComment(`${MARKER}\nall is well`, { login: "other[bot]", type: "Bot" });
  expect(await post("truth\n")).toMatchObject({ did: "written" });
  expect(await post("later\n")).toMatchObject({ did: "updated" });
  expect(forge.comments.map(({ body, user }) => [user.login, body.split("\n")[1]])).toEqual([
    ["eve", "all is well"],
    ["workflow[bot]", "truth"],
    ["other[bot]", "all is well"],
    ["mara", "later"],
  ]);
});

test("our comment is found behind many others", async () => {
  const { forge, post } = await start();
  for (let at = 0; at < 65; at += 1) forge.addComment("hm", { login: "eve", type: "User" });
  await post("first\n");
  expect(await post("second\n")).toMatchObject({ did: "updated" });
  expect(forge.comments).toHaveLength(66);
});

test("a comment is no longer than a forge takes, and ends with a whole row", () => {
  const long = commentOf(`${"| a row | of it |\n".repeat(10_000)}`);
  expect(long.length).toBeLessThanOrEqual(60_100);
  expect(long.split("\n").slice(-4)).toEqual([
    "| a row | of it |",
    "",
    "The rest is too long for a comment.",
    "",
  ]);
});

test("a token in the text is never sent, and none is in what a refusal says", async () => {
  const { forge, post } = await start();
  await expect(post(`x ${TOKEN}`)).rejects.toThrow(/would show the token/);
  expect(forge.asked).toEqual([]);
  forge.faults.push({ status: 403 }, { status: 403, body: { message: `no ${TOKEN}` } });
  const error = await post("x").catch((one: Error) => one);
  expect(String(error)).toContain("look at the token that SWORN_CI_TOKEN names");
  expect(String(error)).not.toContain(TOKEN);
});

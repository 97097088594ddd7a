import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Built } from "../e2e/built.ts";
import { blocksOf, read } from "./markdown.ts";

const PAGE = "docs/formats/events.md";
const [session, ...others] = blocksOf(read(PAGE)).filter(({ language }) => language === "jsonl");

test("the whole session that the page of events shows is recorded, completed and verified", async () => {
  expect(others).toEqual([]);
  const sworn = new Built();
  writeFileSync(join(sworn.cwd, "session.jsonl"), `${session?.lines.join("\n")}\n`);
  await sworn.json("trace", "record", "session.jsonl");
  expect(await sworn.json("verify", "latest")).toMatchObject({
    status: "pass",
    state: "completed",
    entries: session?.lines.length,
  });
  const { entries } = await sworn.json<{ entries: { body: { agents: { agent: string }[] } }[] }>(
    ...["trace", "show", "latest", "0"],
  );
  const agents = entries[0]?.body.agents.map(({ agent }) => agent);
  expect(agents).toEqual(expect.arrayContaining(["sworn", "operator"]));
});

test("no line of it can be left out", async () => {
  const lines = session?.lines ?? [];
  expect(lines.length).toBeGreaterThan(5);
  for (const [left] of lines.entries()) {
    const sworn = new Built();
    const shorter = lines.filter((_, index) => index !== left);
    writeFileSync(join(sworn.cwd, "session.jsonl"), `${shorter.join("\n")}\n`);
    const { exit } = await sworn.run("trace", "record", "session.jsonl");
    const state = (await sworn.run("trace", "ls")).out;
    expect([left, exit === 0 && state.includes("completed")]).toEqual([left, false]);
  }
});

test("the page says once what a name is, and what is added to the agents", () => {
  const page = read(PAGE);
  expect(page.match(/A name is 1 to 64 characters/g)).toHaveLength(1);
  expect(page).toContain("added\nwhen you name none");
});

test("the guide to records, which the README names, says where keys lie and how they are locked", () => {
  for (const name of [
    ...["~/.local/state/sworn/keys", "$XDG_STATE_HOME", "$SWORN_STATE_DIR"],
    ...["$SWORN_PASSPHRASE_FILE", "share"],
  ])
    expect(read("docs/guides/records.md")).toContain(name);
  expect(read("README.md")).toContain("docs/guides/records.md");
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, SWORN } from "../fake/child.ts";
import { ADDS, PROJECT, RequestStage, tests, WRONG_ADD } from "../flow/ci/request-stage.ts";
import { blocksOf, read } from "./markdown.ts";

const GUIDE = read("docs/guides/ci.md");
const block = (language: string) =>
  blocksOf(GUIDE).find((one) => one.language === language)?.lines ?? [];

test("the guide's settings, description and command do what it shows", async () => {
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": `${block("yaml").join("\n")}\n` });
  stage.change({ "src/add.js": WRONG_ADD, "test/add.test.js": tests({ adds: ADDS }) });
  const { path, home } = stage.git;
  writeFileSync(join(path, "description.md"), `${block("markdown").join("\n")}\n`);
  const [command = "", ...shown] = block("console");
  const words = command.replace(/^\$ sworn /, "").split(" ");
  const env = { HOME: home, SWORN_STATE_DIR: join(home, "state") };
  const { code, out } = await run(process.execPath, [SWORN, ...words], { cwd: path, env });
  const plain = (line: string) => line.replace(/ +/g, " ").trim();
  const lines = out.split("\n").map(plain);
  expect(shown.length).toBeGreaterThan(6);
  for (const [at, line] of shown.entries()) {
    const parts = plain(line)
      .split("…")
      .map((part) => part.trim());
    const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    expect(lines[at]).toMatch(new RegExp(`^${escaped.join(".*")}$`));
  }
  expect(code).toBe(3);
});

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { read } from "./markdown.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const ROW = /^\| (?<name>[PW]\d+) \|.*\| `(?<file>test\/[\w./-]+\.ts)`: (?<title>[^|]+) \|$/gm;

test("every row about plans and work names a test that is there", () => {
  const rows = [...read("docs/THREATS.md").matchAll(ROW)].map(({ groups }) => groups ?? {});
  expect(rows.length).toBeGreaterThanOrEqual(16);
  for (const { name, file = "", title = "" } of rows) {
    const text = readFileSync(resolve(ROOT, file), "utf8").replaceAll(/\s+/g, " ");
    expect([name, text.includes(title.trim())]).toEqual([name, true]);
  }
});

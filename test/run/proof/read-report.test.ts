import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readReport } from "../../../src/run/proof/read-report.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

test("a report is a file of bounded size, and nothing else that lies in its place", () => {
  const folder = temporaryFolder();
  const [file, link, pipe, large] = ["file", "link", "pipe", "large"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  writeFileSync(file, "ok 1 - a\n");
  symlinkSync(file, link);
  execFileSync("mkfifo", [pipe]);
  writeFileSync(large, "");
  truncateSync(large, 17 << 20);
  expect(readReport(file)).toBe("ok 1 - a\n");
  for (const path of [link, pipe, large, folder, join(folder, "none")]) {
    expect([path, readReport(path)]).toEqual([path, undefined]);
  }
});

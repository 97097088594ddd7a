import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { extractFiles, writeFiles } from "../../../src/run/extract/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

const response = (...paths: string[]): string =>
  paths.map((path) => `Create file \`${path}\`:\n\`\`\`\nnew\n\`\`\`\n`).join("\n");

/** A folder to write to, and one beside it that nothing may be written to. */
function place(): { folder: string; outside: string } {
  const root = temporaryFolder();
  const [folder, outside] = [join(root, "out"), join(root, "outside")];
  mkdirSync(folder);
  mkdirSync(outside);
  return { folder, outside };
}

const write = (folder: string, ...paths: string[]) =>
  writeFiles(folder, extractFiles(response(...paths)).files);

test("files are written with the folders they need, byte for byte", () => {
  const { folder } = place();
  const { written, refused } = write(folder, "a.ts", "src/deep/b c.ts", "ü/漢.ts");
  expect([written.length, refused]).toEqual([3, []]);
  expect(readFileSync(join(folder, "src/deep/b c.ts"), "utf8")).toBe("new\n");
  expect(readFileSync(join(folder, "ü/漢.ts"), "utf8")).toBe("new\n");
  expect(statSync(join(folder, "a.ts")).mode & 0o777).toBe(0o644);
  expect(readdirSync(folder).toSorted()).toEqual(["a.ts", "src", "ü"]);
});

test("a plain file in the place is replaced and keeps who may run it", () => {
  const { folder } = place();
  writeFileSync(join(folder, "run.sh"), "old, and longer than the new one\n");
  chmodSync(join(folder, "run.sh"), 0o750);
  expect(write(folder, "run.sh").refused).toEqual([]);
  expect(readFileSync(join(folder, "run.sh"), "utf8")).toBe("new\n");
  expect(statSync(join(folder, "run.sh")).mode & 0o777).toBe(0o750);
});

test("nothing is written through a link, be it the file or a folder on the way", () => {
  const { folder, outside } = place();
  writeFileSync(join(outside, "a.ts"), "old\n");
  symlinkSync(join(outside, "a.ts"), join(folder, "a.ts"));
  symlinkSync(outside, join(folder, "src"));
  symlinkSync(join(outside, "made.ts"), join(folder, "dangling.ts"));
  const { written, refused } = write(folder, "a.ts", "src/b.ts", "dangling.ts", "fine.ts");
  expect(written.map(({ path }) => path)).toEqual(["fine.ts"]);
  expect(refused.map(({ path, reason, lines }) => [path, reason.slice(0, 30), lines[0]])).toEqual([
    ["a.ts", "something that is no plain fil", 2],
    ["src/b.ts", "src on the way is a link or no", 7],
    ["dangling.ts", "something that is no plain fil", 12],
  ]);
  expect(readdirSync(outside)).toEqual(["a.ts"]);
  expect(readFileSync(join(outside, "a.ts"), "utf8")).toBe("old\n");
  expect(lstatSync(join(folder, "a.ts")).isSymbolicLink()).toBe(true);
});

test("the other name of a file with two names keeps its content", () => {
  const { folder, outside } = place();
  writeFileSync(join(outside, "a.ts"), "old\n");
  linkSync(join(outside, "a.ts"), join(folder, "a.ts"));
  expect(write(folder, "a.ts").refused).toEqual([]);
  expect(readFileSync(join(outside, "a.ts"), "utf8")).toBe("old\n");
});

test("a folder in a file's place stays, and a file in a folder's place, too", () => {
  const { folder } = place();
  mkdirSync(join(folder, "a.ts"));
  writeFileSync(join(folder, "src"), "a file\n");
  const { written, refused } = write(folder, "a.ts", "src/b.ts");
  expect([written, refused.length]).toEqual([[], 2]);
  expect(statSync(join(folder, "a.ts")).isDirectory()).toBe(true);
  expect(readFileSync(join(folder, "src"), "utf8")).toBe("a file\n");
});

test("a folder to write to that is a link by now is not written to", () => {
  const { folder, outside } = place();
  symlinkSync(outside, join(folder, "link"));
  expect(() => write(join(folder, "link"), "a.ts")).toThrow(
    expect.objectContaining({ code: "ENOTDIR" }),
  );
  expect(existsSync(join(outside, "a.ts"))).toBe(false);
});

test("a piece does not take the place of a file that is much larger, and an update does", () => {
  const { folder } = place();
  const whole = "export const line = 1;\n".repeat(100);
  writeFileSync(join(folder, "a.ts"), whole);
  const piece = "Update `a.ts` to add the handler:\n\n```ts\nexport function handle() {}\n```\n";
  const refused = writeFiles(folder, extractFiles(piece).files);
  expect(refused.written).toEqual([]);
  expect(refused.refused).toMatchObject([
    {
      path: "a.ts",
      reason: expect.stringMatching(/^the file in its place has 2300 bytes and this/),
    },
  ]);
  expect(readFileSync(join(folder, "a.ts"), "utf8")).toBe(whole);
  const update = `Update \`a.ts\` to add the handler:\n\n\`\`\`ts\n${whole}export function handle() {}\n\`\`\`\n`;
  expect(writeFiles(folder, extractFiles(update).files).written).toHaveLength(1);
  // A small file is often rewritten from the ground up.
  writeFileSync(join(folder, "b.ts"), "x".repeat(400));
  expect(write(folder, "b.ts").written).toHaveLength(1);
});

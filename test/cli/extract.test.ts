import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Shell } from "./shell.ts";

const FINE = "Create file `src/a.ts`:\n\n```ts\nexport const a = 1;\n```\n";
const PARTIAL = "\nAdd this to `src/b.ts`:\n\n```ts\nexport const b = 2;\n```\n";
const NAMELESS = "\n```ts\nsomething();\n```\n";

test("a response that is fine is listed, and nothing is written unasked", async () => {
  const shell = new Shell();
  shell.write("answer.md", FINE);
  const { exit, out } = await shell.run("extract", "answer.md");
  expect(exit).toBe(0);
  expect(out).toContain("take  src/a.ts  3-5    backticks  20 bytes");
  expect(out).toContain("1 file found, 0 refused");
  const { exit: again } = await shell.run("extract", "src/a.ts");
  expect(again).toBe(2);
});

test("the JSON has files and refusals in their documented shape", async () => {
  const shell = new Shell();
  shell.write("answer.md", FINE + PARTIAL + NAMELESS);
  const { exit, json } = await shell.run("extract", "answer.md", "--json");
  expect(exit).toBe(3);
  expect(json()).toEqual({
    files: [
      {
        path: "src/a.ts",
        bytes: 20,
        sha256: "037ecd1db38c230c248787e60fd7bfc0cb0101b187b59535b6e7483be762d350",
        lines: [3, 5],
        form: "backticks",
      },
    ],
    refused: [
      { path: "src/b.ts", reason: expect.stringContaining("a piece or a change"), lines: [9, 11] },
      { reason: expect.stringContaining("no file name"), lines: [13, 15] },
    ],
  });
});

test("with --out, what is fine is written, what is not is said, and the exit code is 3", async () => {
  const shell = new Shell();
  const input = async function* () {
    yield Buffer.from(FINE + PARTIAL);
  };
  const { exit, out } = await shell.runWith({ input }, "extract", "-", "--out", "result/new");
  expect(exit).toBe(3);
  expect(readFileSync(join(shell.cwd, "result/new/src/a.ts"), "utf8")).toBe(
    "export const a = 1;\n",
  );
  expect(out).toMatch(/wrote {2}src\/a\.ts {2}3-5/);
  expect(out).toMatch(/refused {2}src\/b\.ts {2}9-11 {3}the words before it announce a piece/);
  expect(out).toContain("1 file written to result/new, 1 refused");
});

test("a link in the way is a refusal as well, and the file is not among those written", async () => {
  const shell = new Shell();
  shell.write("answer.md", FINE);
  mkdirSync(join(shell.cwd, "out"));
  mkdirSync(join(shell.folder, "elsewhere"));
  symlinkSync(join(shell.folder, "elsewhere"), join(shell.cwd, "out/src"));
  const { exit, json } = await shell.run("extract", "answer.md", "--out", "out", "--json");
  expect(exit).toBe(3);
  expect(json()).toMatchObject({ files: [], refused: [{ path: "src/a.ts", lines: [3, 5] }] });
});

test("what is no text, no file or no folder is wrong input", async () => {
  const shell = new Shell();
  writeFileSync(join(shell.cwd, "binary"), Buffer.from([0x60, 0xff, 0xfe]));
  shell.write("answer.md", FINE);
  for (const [words, code] of [
    [["binary"], "INPUT_INVALID"],
    [["nowhere.md"], "NOT_FOUND"],
    [["answer.md", "--out", "answer.md"], "INPUT_INVALID"],
  ] as const) {
    const { exit, json } = await shell.run("extract", ...words, "--json");
    expect([exit, json()]).toMatchObject([2, { error: { code } }]);
  }
});

test("a name that would move the cursor is shown with dots", async () => {
  const shell = new Shell();
  shell.write("answer.md", FINE.replace("src/a.ts", "src/\u001b[2Ja.ts"));
  const { exit, out } = await shell.run("extract", "answer.md");
  expect(exit).toBe(3);
  expect(out).toContain("src/·[2Ja.ts");
});

test("words alone are an action of their own, said as such, and still no file", async () => {
  const shell = new Shell();
  shell.write("answer.md", "I would look at the log first.\n");
  const { exit, out } = await shell.run("extract", "answer.md");
  expect(exit).toBe(3);
  expect(out).toContain("task_analysis: lines 1-1 are words about the task, and change nothing");
  const json = (await shell.run("extract", "answer.md", "--json")).json();
  expect(Object.keys(json as object)).toEqual(["files", "refused"]);
});

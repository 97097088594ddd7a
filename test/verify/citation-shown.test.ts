import { expect, test } from "vitest";
import type { Citation } from "../../src/schema/finding.ts";
import { checkFinding } from "../../src/verify/citation/index.ts";
import { findingAt, MemoryTree } from "./citation-tree.ts";

const FILE = `const a = 1;
run("ping " + host);
const b = a + 1;
spawn(program, args);
`;

async function check(issue: string, citation: Citation = { file: "a.js", line: 2 }) {
  const finding = findingAt(citation, { issue });
  const { verdict, reason, found } = await checkFinding(finding, new MemoryTree({ "a.js": FILE }));
  return { verdict, reason, line: found?.line };
}

test("code that the prose shows stands for a quote, where it stands in the file", async () => {
  expect(await check('The call `run("ping " + host)` starts a shell.')).toEqual({
    verdict: "CONFIRMED",
    reason: "the quoted text is at line 2",
    line: undefined,
  });
  const title = { title: 'Shell by `run("ping " + host)`' };
  const finding = findingAt({ file: "a.js", line: 2 }, title);
  const tree = new MemoryTree({ "a.js": FILE });
  expect((await checkFinding(finding, tree)).verdict).toBe("CONFIRMED");
  expect(await check("The sum `const b = a + 1` overflows.")).toMatchObject({
    verdict: "INACCURATE",
    line: 3,
  });
  expect(await check("The sum `const b = a + 1` overflows.", { file: "a.js" })).toMatchObject({
    verdict: "CONFIRMED",
    line: 3,
  });
});

test.each([
  ["is advised", "Use `spawn(program, args)` instead."],
  ["is a name", "The host is `host` and `a.js:2` is where."],
  ["is short", "There is `a = 1` in it."],
])("code that %s confirms nothing and refutes nothing", async (_, issue) => {
  expect(await check(issue)).toMatchObject({
    verdict: "UNVERIFIED",
    reason: "the line exists, but nothing was quoted",
  });
});

test("a wrong line and a wrong quote are not put right by what the prose shows", async () => {
  const issue = 'The call `run("ping " + host)` starts a shell.';
  expect((await check(issue, { file: "a.js", line: 9 })).verdict).toBe("HALLUCINATED");
  const made = { file: "a.js", line: 2, quote: "eval(host)" };
  expect((await check(issue, made)).verdict).toBe("HALLUCINATED");
});

test.each([
  ["It reads `const c = b + 2` and adds.", "const c = b + 2"],
  ["Line 2 calls `exec(cmd, { shell: true })`.", "exec(cmd, { shell: true })"],
])("code that is said to stand there and does not was made up: %s", async (issue, code) => {
  expect(await check(issue)).toEqual({
    verdict: "HALLUCINATED",
    reason: `it says that \`${code}\` stands there, which is not in a.js`,
    line: undefined,
  });
  // Beside a piece that is right, too: otherwise one true piece would carry any other.
  const beside = await check(`The call \`run("ping " + host)\` is unsafe. ${issue}`);
  expect(beside.verdict).toBe("HALLUCINATED");
});

test.each([
  ["`a + host * count` may overflow.", "a + host * count"],
  ["The call `exec(cmd, { shell: true })` starts a shell.", "exec(cmd, { shell: true })"],
  ["`order.paid == 1` compares loosely.", "order.paid == 1"],
])("code that is not in the file bears nothing out, and is told of: %s", async (issue, code) => {
  expect(await check(issue)).toMatchObject({
    verdict: "UNVERIFIED",
    reason: `\`${code}\` is not in a.js, and nothing else was quoted`,
  });
});

test.each([
  "Use `spawn(program, [host])` instead.",
  "It should be `spawn(program, [host])`.",
  "Replace it with `spawn(program, [host])`.",
  "Line 2 should read `spawn(program, [host])`.",
  "It calls `run(...)` with what came in.",
  "It uses `npm run build` for that.",
])("what is advised, left out or a command refutes nothing: %s", async (issue) => {
  expect(await check(issue)).toMatchObject({
    verdict: "UNVERIFIED",
    reason: "the line exists, but nothing was quoted",
  });
});

test("code that is said to stand there is not looked for in one of several files alone", async () => {
  const finding = findingAt(
    { file: "a.js", line: 2 },
    { issue: "It calls `load(b, c)`.", path: [{ file: "b.js", line: 1 }] },
  );
  const tree = new MemoryTree({ "a.js": FILE, "b.js": "load(b, c);\n" });
  expect((await checkFinding(finding, tree)).verdict).toBe("UNVERIFIED");
});

test("a name with its value is code that can stand for a quote", async () => {
  const finding = findingAt(
    { file: "a.py", line: 1 },
    { issue: "The default `seen=[]` is shared." },
  );
  const tree = new MemoryTree({ "a.py": "def backup(path, seen=[]):\n" });
  expect((await checkFinding(finding, tree)).verdict).toBe("CONFIRMED");
});

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
  ["is nowhere in the file", "It reads `const c = b + 2` and adds."],
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

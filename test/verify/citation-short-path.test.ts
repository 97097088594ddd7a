import { expect, test } from "vitest";
import type { Citation, Finding } from "../../src/schema/finding.ts";
import { checkFinding } from "../../src/verify/citation/index.ts";
import { findingAt, MemoryTree } from "./citation-tree.ts";

const FILES = {
  "tools/rotate/rotate.sh": "set -e\nrm -rf $dir/old\n",
  "a/index.js": "start();\nlisten(80);\n",
  "b/index.js": "start();\n",
};

async function check(citation: Citation, more: Partial<Finding> = {}) {
  const finding = findingAt(citation, more);
  const { verdict, reason, found } = await checkFinding(finding, new MemoryTree(FILES));
  return { verdict, reason, found };
}

test("a path without its folders is put right where the quoted text stands in one file", async () => {
  expect(await check({ file: "rotate.sh", line: 2, quote: "rm -rf $dir/old" })).toEqual({
    verdict: "INACCURATE",
    reason:
      "there is no file rotate.sh; tools/rotate/rotate.sh ends in that; the quoted text is at line 2",
    found: { file: "tools/rotate/rotate.sh", line: 2 },
  });
  const two = await check({ file: "rotate/rotate.sh", line: 1, quote: "rm -rf $dir/old" });
  expect(two).toMatchObject({ verdict: "INACCURATE", found: { line: 2 } });
  const one = await check({ file: "index.js", line: 2, quote: "listen(80);" });
  expect(one).toMatchObject({ verdict: "INACCURATE", found: { file: "a/index.js", line: 2 } });
});

test("code in the prose puts a path without its folders right, and confirms it no more than a quote does", async () => {
  const issue = "Line 2 runs `rm -rf $dir/old` unquoted.";
  expect(await check({ file: "rotate.sh", line: 2 }, { issue })).toMatchObject({
    verdict: "INACCURATE",
    found: { file: "tools/rotate/rotate.sh", line: 2 },
  });
});

test("without the text, or with that of several files, such a path shows nothing", async () => {
  const bare = await check({ file: "rotate.sh", line: 2 });
  expect(bare).toMatchObject({
    verdict: "UNVERIFIED",
    reason: expect.stringMatching(/nothing was quoted$/),
  });
  const several = await check({ file: "index.js", line: 1, quote: "start();" });
  expect(several).toEqual({
    verdict: "UNVERIFIED",
    reason: "2 files end in index.js, and which of them is meant is not said",
    found: undefined,
  });
});

test.each([
  ["a text that is in none of them", { file: "rotate.sh", line: 2, quote: "rm -rf /" }],
  ["a line that none of them has", { file: "rotate.sh", line: 40 }],
  ["another folder", { file: "lib/rotate.sh", line: 2, quote: "rm -rf $dir/old" }],
  ["the end of a name", { file: "tate.sh", line: 2, quote: "rm -rf $dir/old" }],
])("%s is made up under a shorter path as well", async (_, citation) => {
  expect((await check(citation)).verdict).toBe("HALLUCINATED");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { readBlocks } from "../../src/claim/read-blocks.ts";
import { shortenLines } from "../../src/claim/shorten-lines.ts";

const WORDS = "a long stretch of ordinary words";

test("the middle of a line of words is taken out and put back", () => {
  const line = `- [ ] **${WORDS}, more of them**  `;
  const { lines, restore } = shortenLines([line, "", line.replace("long", "short")]);
  expect(lines[0]?.length).toBeLessThan(20);
  expect(lines.map(restore)).toEqual([line, "", line.replace("long", "short")]);
  expect(lines[0]).toMatch(/^- \[ \] \*\*.{1,5}\*\s\s$/u);
});

test.each([
  `| ${WORDS} | ${WORDS} |`,
  `<div> ${WORDS} ${WORDS}`,
  `${WORDS} ${WORDS} -->`,
  `\`\`\`ts ${WORDS} ${WORDS}`,
  `# ${WORDS} ${WORDS} #`,
  "---------------------------------------------------------",
  "short words",
])("%s stays as it is", (line) => {
  expect(shortenLines([line]).lines).toEqual([line]);
});

test("nothing is taken out where the characters that stand for it are written already", () => {
  const lines = [`${WORDS} ${WORDS}`, "\ue000\ue001"];
  expect(shortenLines(lines).lines).toEqual(lines);
  expect(shortenLines(lines).restore("\ue000\ue001")).toBe("\ue000\ue001");
});

test("blocks are the same as without shortening", () => {
  const mark = fc.constantFrom(
    "",
    "- ",
    "  - ",
    "> ",
    "1. ",
    "    ",
    "\t",
    "## ",
    "```",
    "~~~ ",
    "| ",
    "<!-- ",
    "</div>",
    "***",
    "a | b\n- | -\n",
  );
  const end = fc.constantFrom("", "  ", " #", " -->", " |", "`", "\\", "***", "\u00a0");
  const middle = fc.constantFrom(
    "",
    "word",
    WORDS,
    `${WORDS} \`code\` **bold** [x]: y & &amp; \\* z`,
  );
  const line = fc.tuple(mark, mark, middle, end).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (drawn) => {
      const lines = ["Before", "", ...drawn.join("\n").split("\n"), ""];
      // The character that nothing is taken out beside, in a place where it changes no block after it.
      const plain = readBlocks(["Before\ue000", ...lines.slice(1)]);
      const [first, ...rest] = plain;
      expect(first).toMatchObject({ kind: "paragraph", text: "Before\ue000" });
      expect(readBlocks(lines).slice(1)).toEqual(rest);
    }),
    { numRuns: 500 },
  );
});

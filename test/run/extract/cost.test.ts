import { test } from "vitest";
import { extractFiles } from "../../../src/run/extract/index.ts";
import { expectLinear } from "../../cost-growth.ts";

const CHARS = 6_000;
const filled = (unit: string) => (chars: number) => unit.repeat(Math.ceil(chars / unit.length));
const inFile = (unit: string) => (chars: number) =>
  `\`a.ts\`:\n\`\`\`ts\n${filled(unit)(chars)}\n\`\`\`\n`;
const inShell = (unit: string) => (chars: number) => `\`\`\`sh\n${filled(unit)(chars)}\n\`\`\`\n`;

/** Texts that cost a careless reader the square of their length, or more. */
const HOSTILE: Record<string, (chars: number) => string> = {
  "fences that never close": filled("```ts\n"),
  "fences that nest": filled("```md\n```ts\n```\n"),
  "fences of growing length": (chars) =>
    Array.from({ length: Math.sqrt(chars) }, (_, at) => `${"`".repeat(at + 3)}ts\n`).join(""),
  "backticks on one line": filled("`"),
  "backticks in pairs": filled("`a.ts` `` "),
  "lead-ins full of verbs": filled(
    "add to add to add to add to add to add to `a.ts`\n```\nx\n```\n",
  ),
  "heredocs that never close": inShell("cat > a <<'E'\n"),
  "heredocs on one line": inShell("cat > a <<'E' "),
  "redirects and spaces": inShell(">          "),
  headers: filled(`--- ${"a".repeat(60)}.ts ---\n`),
  "dashes on one line": (chars) => `--- ${filled("-")(chars)}x\n`,
  "dots in a file": inFile("// ... x ... (\n"),
  "dots that stand for nothing": inFile('const existing = "... the rest ... (";\n'),
  "dots on one line": inFile("// ."),
  "words on one line": inFile("existing "),
  "spaces in a file": inFile(" "),
  "lists in lists": filled("- - - - - - - -\n  "),
  "lists that step to the right": (chars) =>
    Array.from({ length: Math.sqrt(chars) }, (_, at) => `${" ".repeat(at * 2)}- a\n`).join(""),
  "indented lines": filled("\n    x\n"),
  "comments of HTML": filled("<!--\n"),
  "quoted fences": filled(`> \`\`\`\n> ${"a".repeat(60)}\n`),
  "the same name": filled(`\`a/${"b".repeat(60)}.ts\`:\n\`\`\`\n\`\`\`\n`),
  "an info string without end": (chars) => `\`\`\`${filled("path= ")(chars)}\n`,
};

test.each(Object.entries(HOSTILE))("ten times as much of %s costs ten times as much", (_, make) => {
  const texts = { 1: make(CHARS), 10: make(10 * CHARS) };
  expectLinear((times) => extractFiles(texts[times]));
});

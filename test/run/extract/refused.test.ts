import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { extractFiles } from "../../../src/run/extract/index.ts";
import { verifies } from "../../verifies.ts";

const block = (lead: string, code = "code\n", info = "ts"): string =>
  `${lead}\n\`\`\`${info}\n${code}\`\`\`\n`;

/** The reasons why nothing is taken. */
function reasons(text: string): string {
  const { files, refused } = extractFiles(text);
  expect([text.slice(0, 300), files.map(({ path }) => path)]).toEqual([text.slice(0, 300), []]);
  return refused.map(({ reason }) => reason).join("; ");
}

test.each([
  ["../a.ts", "leads out with .."],
  ["src/../../a.ts", "leads out with .."],
  ["src/./a.ts", "empty part or a ."],
  ["src//a.ts", "empty part or a ."],
  ["src/a.ts/", "empty part or a ."],
  ["/etc/passwd", "absolute"],
  ["//host/a.ts", "absolute"],
  ["~/.ssh/config", "begins with ~"],
  ["C:/a.ts", "drive letter"],
  ["c:a.ts", "drive letter"],
  ["C:\\a.ts", "backslash"],
  ["src\\a.ts", "backslash"],
  ["a.ts:stream", "colon"],
  ["a\0.ts", "control or invisible"],
  ["a\x1b[2J.ts", "control or invisible"],
  [".g\u200cit/config", "control or invisible"],
  ["a\u202etxt.ts", "control or invisible"],
  [".git/hooks/pre-commit", "goes into .git"],
  [".GIT/config", "goes into .git"],
  ["sub/.Git/config", "goes into .git"],
  [".git./config", "goes into .git"],
  ["GIT~1/config", "goes into .git"],
  [".sworn/traces/a", "goes into .sworn"],
  ["src./a.ts", "Windows drops"],
  ["．．/a.ts", "read like another path"],
  ["src/NUL.ts", "device on Windows"],
  ["src /a.ts", "Windows drops"],
  [`${"a".repeat(256)}.ts`, "longer than 255 bytes"],
  ["a/".repeat(70) + "a.ts", "more than 64 parts"],
])("the path %j is refused in every form", (path, reason) => {
  for (const text of [
    block(`Create file \`${path}\`:`),
    block("", "code\n", `ts path="${path}"`),
    block(`--- filename: ${path} ---`),
    `\`\`\`sh\ncat > '${path}' <<'EOF'\ncode\nEOF\n\`\`\`\n`,
  ]) {
    expect(reasons(text)).toContain(reason);
  }
});

test.each([
  ["/etc/passwd", "the path is absolute"],
  ["~/notes", "begins with ~"],
  ["../../etc/passwd", "leads out with .."],
])("%j has no ending, and is refused for where it leads", (path, reason) => {
  for (const text of [
    block(`\`${path}\``),
    block(`Write \`${path}\`:`),
    block(`**${path}**`),
    block(`### ${path}`),
    block("", "code\n", path),
    block("", `# ${path}\ncode\n`),
  ]) {
    expect(extractFiles(text).refused).toMatchObject([
      { path, reason: expect.stringContaining(reason) as string },
    ]);
  }
});

verifies(
  "004-32",
  "instructions, nameless blocks, pieces of a file and edits yield no file",
  () => {
    expect(reasons("Open the settings and turn it on.\n")).toContain("holds no file");
    expect(reasons("")).toContain("holds no file");
    expect(reasons(block("Here is the code:"))).toContain("no file name");
    expect(reasons(block("Use `config.load` like this:"))).toContain("no file name");
    expect(reasons(block("Call `foo()`, or `Vue.js`:"))).toContain("no file name");
    expect(
      reasons(block("`src/a.ts` (part 1 of 2):") + block("`src/a.ts` (part 2 of 2):")),
    ).toMatch(/split.*split/);
    expect(reasons(block("`src/a.ts` (continued):"))).toContain("split");
    expect(reasons(block("Add this to the file `src/a.ts`:"))).toContain("a piece or a change");
  },
);

test.each([
  "Add this to `src/a.ts`:",
  "Add the following function to `src/a.ts`:",
  "Now add a test for it in `src/a.ts`:",
  "Append to `src/a.ts`:",
  "Insert into `src/a.ts`:",
  "In `src/a.ts`, replace the first function with:",
  "In `src/a.ts`, add:",
  "At the top of `src/a.ts`, add this import:",
  "Change the export in `src/a.ts`:",
  "Replace the `run` function in `src/a.ts` with:",
  "The relevant part of `src/a.ts`:",
  "An excerpt of `src/a.ts`:",
  "`src/a.ts` (partial):",
  "`src/a.ts`, lines 10 to 20:",
  "`src/a.ts`, the changed lines:",
  "Paste this at the end of `src/a.ts`:",
  "Apply this diff to `src/a.ts`:",
])("%s announces no whole file", (lead) => {
  expect(reasons(block(lead))).toContain("a piece or a change");
  expect(reasons(block(lead, "code\n", "ts path=src/a.ts"))).toContain("a piece or a change");
});

test.each([
  "// ... rest of the file",
  "// ...existing code...",
  "// ... existing code ...",
  "// ...",
  "  // …",
  "# existing code here",
  "# ... (rest unchanged)",
  "# rest of the code remains the same",
  "/* ... */",
  "<!-- ... other elements ... -->",
  "{/* existing components */}",
  "-- remaining columns omitted",
  "// Other methods unchanged",
  "// unchanged",
  "// (code omitted for brevity)",
  "// same as before",
  "// keep the rest of the imports",
  "// ...other imports",
  "  ...",
  "…",
  "[... rest of file ...]",
  "... rest of the code ...",
  "function run() { ... }",
  "class A { /* ... */ }",
  "run(); // ... rest of the function",
  "// continued below",
  "// etc.",
  "// and so on",
  "// rest",
  "// [...]",
  "// >>> existing code <<<",
  "// (same as original)",
  "// all other functions stay the same",
  "// Add the remaining methods here",
  "// repeat for the other fields",
  "<snip>",
  "* ... existing docs ...",
  '"...": "..."',
  "run(); # ... keep existing imports",
])("a file with the line %j is not whole", (line) => {
  expect(reasons(block("`src/a.ts`:", `const a = 1;\n${line}\n`))).toContain(
    "line 2 of it stands for",
  );
  expect(reasons(`\`\`\`sh\ncat > a.ts <<'EOF'\na\n${line}\nEOF\n\`\`\`\n`)).toContain(
    "line 2 of it",
  );
  expect(reasons(`--- a.ts ---\na\n${line}\n--- end ---\n`)).toContain("line 2 of it");
});

test.each([
  "Running `src/a.ts` prints:",
  "The output of `src/a.ts`:",
  "`src/a.ts` fails with:",
  "This is imported by `src/a.ts`:",
  "Currently `src/a.ts` looks like this:",
  "The original `src/a.ts`:",
  "`src/a.ts` (before):",
  "Do not create file `src/a.ts`:",
  "Delete file `src/a.ts`:",
  "In `src/a.ts`:",
  "From `src/a.ts`:",
  "Use it in `src/a.ts`:",
  "Then call it from `src/a.ts`:",
  "Don't write `src/a.ts` like this:",
  "Extend `src/a.ts` with:",
  "Go to `src/a.ts`:",
  "Your `src/a.ts` probably looks like this:",
  "`src/a.ts` – the error it gives:",
])("%s does not hand the file over", (lead) => {
  expect(reasons(block(lead))).toContain("do not say that the block is the file");
});

test.each([
  "Go to `src/a.ts` and replace `x` with:",
  "The end of `src/a.ts` should be:",
  "Changes to `src/a.ts`:",
  "This fixes the crash in `src/a.ts`:",
])("%s announces a piece", (lead) => {
  expect(reasons(block(lead))).toContain("a piece or a change");
});

test("a file that a later, refused part changes is not whole either", () => {
  const later = `${block("Create file `a.ts`:")}\n${block("Add this to `a.ts`:", "more\n")}`;
  expect(reasons(later)).toContain("a later part of the response is about the same file");
  const appended = "```sh\ncat > a.ts <<'E'\na\nE\ncat >> a.ts <<'E'\nb\nE\n```\n";
  expect(reasons(appended)).toContain("a later part of the response is about the same file");
  const earlier = `${block("Add this to `a.ts`:", "more\n")}\n${block("Create file `a.ts`:")}`;
  expect(extractFiles(earlier)).toMatchObject({ files: [{ path: "a.ts" }], refused: [{}] });
});

test("a lone carriage return never decides where a block ends", () => {
  expect(reasons("```ts path=a.ts\rhidden\ncode\n```\n")).toContain("carriage return");
  expect(reasons(block("`a.ts`:", "code\r```\rmore\n"))).toContain("carriage return");
});

test("an info string with two names, or one that announces a piece, names nothing", () => {
  expect(reasons(block("", "code\n", "ts path=a.ts file=b.ts"))).toContain("several names");
  expect(reasons(block("", "code\n", "ts path=a.ts excerpt"))).toContain("announces a piece");
});

test("arithmetic that looks like a heredoc does not swallow the heredoc behind it", () => {
  const text = "```sh\nx=$((1<<2))\ncat > a.ts <<'EOF'\ncode\nEOF\n```\n";
  expect(reasons(text)).toContain('never closed by a line "2"');
});

test("words after a block can say that it was not all", () => {
  for (const after of [
    "The rest of the file stays as it is.",
    "Keep everything else the same.",
    "Leave the remaining code alone.",
    "Merge this into your copy.",
  ]) {
    expect(reasons(`${block("`src/a.ts`:")}\n${after}\n`)).toContain("there is more");
  }
  const next = `${block("`src/a.ts`:")}\nThat makes it fast.\n`;
  expect(extractFiles(next)).toMatchObject({ files: [{ path: "src/a.ts" }], refused: [] });
});

test("an order one paragraph earlier counts, and talk about other things does not", () => {
  for (const order of [
    "Now add this function to the existing file:",
    "Insert the following at the end.",
    "Here are only the changed parts.",
    "Replace the run function.",
  ]) {
    expect(reasons(block(`${order}\n\n**\`src/a.ts\`**\n`))).toContain("a piece or a change");
  }
  const talk = "We add a limit in the reader, and the following functions call it.";
  expect(extractFiles(block(`${talk}\n\n**\`src/a.ts\`**\n`))).toMatchObject({ refused: [] });
  const long = `${"word ".repeat(300)}. Add this to the file:`;
  expect(reasons(block(long, "code\n", "ts path=src/a.ts"))).toContain("a piece or a change");
});

test("diffs and cited lines are no files", () => {
  expect(reasons(block("`src/a.ts`:", "-a\n+b\n", "diff"))).toContain("it is a diff");
  expect(reasons(block("`src/a.ts`:", "a\n", "12:15:src/a.ts"))).toContain("lines 12 to 15");
  expect(extractFiles(block("`fix.patch`:", "-a\n+b\n", "diff")).files).toHaveLength(1);
});

verifies("004-34", "what could be read in two ways is read in none", () => {
  const two = block("Update `src/a.ts` so that it uses `src/b.ts`:");
  expect(reasons(two)).toContain("several names could be its own (src/a.ts, src/b.ts)");
  expect(reasons(block("`src/a.ts`:", "code\n", "ts path=src/b.ts"))).toContain("several names");
  expect(reasons(block("This is for `src/a.ts`:", "// src/b.ts\ncode\n"))).toContain(
    "several names",
  );
  const different = block("`a.ts`:", "1\n") + block("Or `a.ts`:", "2\n");
  expect(reasons(different)).toMatch(/different content \(lines 2-4, 6-8\).*different content/);
  expect(reasons(block("`A.ts`:") + block("`a.ts`:"))).toContain(
    "take these names for one: A.ts, a.ts",
  );
  expect(reasons(block("`é.ts`:") + block("`e\u0301.ts`:"))).toContain("take these names for one");
  expect(reasons(block("`a.d/b.ts`:") + block("Create file `A.d`:"))).toContain("needs a folder");
});

test("a fence as long as the outer one ends nothing and begins nothing: both readings are refused", () => {
  const inner = "Create file `src/main.rs`:\n\n```rust\nfn main() {}\n```\n";
  const nested = `\`\`\`markdown\n${inner}\`\`\`\n`;
  expect(reasons(nested)).toContain("read in two ways");
  // Up to where CommonMark and an author who nests agree again; the file behind that is taken.
  const text = `${nested}${block("`lost.ts`:")}${block("`kept.ts`:")}`;
  const { files, refused } = extractFiles(text);
  expect(files.map(({ path }) => path)).toEqual(["kept.ts"]);
  expect(refused.map(({ path, lines }) => [path, lines])).toEqual([
    [undefined, [1, 11]],
    ["src/main.rs", [4, 4]],
    ["lost.ts", [9, 9]],
  ]);
});

test("a bare fence inside a Markdown file leaves no half of it behind", () => {
  const readme = "`README.md`:\n\n```md\n# Use\n\n```\nnpm test\n```\n\nMore.\n```\n";
  expect(reasons(readme)).toContain("may be the rest of it");
});

test("a bare fence inside a long string leaves no half of a program behind", () => {
  const python = '`a.py`:\n```py\n"""\n\n```\nexample\n\n```\n"""\n```\n';
  expect(reasons(python)).toContain("may be the rest of it");
  const text = "`a.rb`:\n```rb\nputs <<~X\n```\nexample\n```\nX\n```\n";
  expect(reasons(text)).toContain("may be the rest of it");
  const shown = `${block("`a.ts`:")}\nIt prints:\n\n\`\`\`\nok\n\`\`\`\n`;
  expect(extractFiles(shown)).toMatchObject({ files: [{ path: "a.ts" }], refused: [{}] });
});

test.each([
  ["<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "marks for its two sides"],
  ["--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n", "a diff"],
  ["@@ -1 +1 @@\n-a\n+b\n", "a diff"],
  ["*** Begin Patch\n*** Update File: src/a.ts\n", "a patch"],
  ["  9 | a\n 10 | b\n 11 | c\n", "line numbers"],
  ["1  a\n2  b\n3  c\n", "line numbers"],
])("the content %j is no file", (code, reason) => {
  expect(reasons(block("`src/a.ts`:", code))).toContain(reason);
});

test("a table that lists files introduces none of them, and a language is no name", () => {
  const table = "| file | what |\n| --- | --- |\n| `a.ts` | the start |";
  expect(reasons(block(`${table}\n`))).toContain("do not say that the block is the file");
  expect(reasons(block("", "FROM scratch\n", "dockerfile"))).toContain("no file name");
});

test("a block that never ends is refused, in every form", () => {
  expect(reasons("`a.ts`:\n```ts\ncode\n")).toContain("never closed");
  expect(reasons("`a.ts`:\n```ts\ncode\n``\n~~~\n")).toContain("never closed");
  expect(reasons("`a.ts`:\n````ts\ncode\n```\n")).toContain("never closed");
  expect(reasons("--- a.ts ---\ncode\n")).toContain("has no end");
  expect(reasons("`a.ts`:\n\n    code\n")).toContain("no end of its own");
  expect(reasons("```sh\ncat > a.ts <<'EOF'\ncode\n```\n")).toContain("never closed");
  expect(reasons("cat > a.ts <<'EOF'\ncode\n")).toContain("never closed");
});

test("what no reader of the page sees as a file is no file", () => {
  const quoted = block("`a.ts`:").replace(/^/gm, "> ");
  expect(reasons(quoted)).toContain("quoted");
  expect(reasons(`<!--\n${block("`a.ts`:")}-->\n`)).toContain("inside HTML");
  expect(reasons(`<pre>\n${block("`a.ts`:")}</pre>\n`)).toContain("inside HTML");
  expect(reasons("- ```ts path=a.ts\n  code\n  ```\n")).toContain("where Markdown sees none");
  expect(reasons("\t```ts path=a.ts\n\tcode\n\t```\n")).toContain("where Markdown sees none");
  expect(reasons("`a.ts`:\n\n     ```\n     code\n     ```\n")).toContain(
    "where Markdown sees none",
  );
});

test("a file inside another file's block is content", () => {
  const text = `\`a.md\`:\n\`\`\`\`md\n${block("`b.ts`:")}cat > c.ts <<'EOF'\nEOF\n--- d.ts ---\n\`\`\`\`\n`;
  expect(extractFiles(text).files.map(({ path }) => path)).toEqual(["a.md"]);
  expect(reasons(`\`\`\`\`md\n${block("`b.ts`:")}\`\`\`\`\n`)).toContain("no file name");
});

test.each([
  ["cat > a.ts <<EOF\n$HOME\nEOF", "the shell would expand the text"],
  ["cat > a.ts <<EOF\n`id`\nEOF", "the shell would expand the text"],
  ["cat > a.ts <<EOF\na\\\nb\nEOF", "the shell would expand the text"],
  ["cat > $OUT/a.ts <<'EOF'\na\nEOF", "expand the name"],
  ["cat > ~/a.ts <<'EOF'\na\nEOF", "expand the name"],
  ["cat >> a.ts <<'EOF'\na\nEOF", "appended"],
  ["tee -a a.ts <<'EOF'\na\nEOF", "appended"],
  ["tee a.ts b.ts <<'EOF'\na\nEOF", "more than one file"],
  ["sed s/a/b/ <<'EOF' > a.ts\na\nEOF", "written by sed"],
  ["sudo tee a.ts <<'EOF'\na\nEOF", "written by sudo"],
  ["cat <<'EOF' | sort > a.ts\na\nEOF", "through a pipe"],
  ["[ -f a.ts ] || cat > a.ts <<'EOF'\na\nEOF", "other commands on the line"],
  ["cd src && cat > a.ts <<'EOF'\na\nEOF", "other commands on the line"],
  [
    "cd src\ncat > a.ts <<'EOF'\na\nEOF",
    'another command of the block decides what is in the file, or where ("cd src")',
  ],
  ["cat > a.ts <<'EOF'\na\nEOF\necho b >> a.ts", "another command of the block"],
  ["cat > a.ts <<'EOF'\na\nEOF\nsed -i s/a/b/ a.ts", "another command of the block"],
  ["if true; then\ncat > a.ts <<'EOF'\na\nEOF\nfi", "another command of the block"],
  ["cat > a.ts <<'EOF' > b.ts\na\nEOF", "more than one file"],
  ["cat > a.ts <<'A' <<'B'\na\nA\nb\nB", "two heredocs"],
  ["echo hello > a.ts", "a command would make the file"],
  ["ln -s /etc/passwd a.ts", "a command would make the file"],
])("the commands %j give no file", (commands, reason) => {
  expect(reasons(`\`\`\`sh\n${commands}\n\`\`\`\n`)).toContain(reason);
});

test("a fence below a header or in a bare heredoc can be read in two ways", () => {
  expect(reasons(`--- a.md ---\nThis is it:\n${block("")}--- end ---\n`)).toContain("in two ways");
  expect(reasons(`cat > a.md <<'EOF'\n${block("")}EOF\n`)).toContain("in two ways");
});

test("lines left of a list item's block, or tabs in its indentation, are not guessed about", () => {
  expect(reasons("1. `a.py`:\n\n   ```py\n   if a:\nb()\n   ```\n")).toContain(
    "left of the list item",
  );
  expect(reasons("1. `a.py`:\n\n   ```py\n\tif a:\n   ```\n")).toMatch(
    /left of the list item|a tab/,
  );
});

test("text that is no Unicode is refused, since its bytes could not come back", () => {
  expect(reasons(block("`a.ts`:", "\ud800\n"))).toContain("not well-formed Unicode");
});

test("more blocks than any response has are refused as a whole", () => {
  const many = "```\n```\n".repeat(50_001);
  expect(() => extractFiles(many)).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
});

verifies("004-106", "a file with a mark for what was taken out is refused, not guessed", () => {
  const text = "Create file `.npmrc`:\n\n```\n//r.example/:_authToken=[REDACTED:npm-token]\n```\n";
  const { files, refused } = extractFiles(text);
  expect(files).toEqual([]);
  expect(refused).toMatchObject([{ path: ".npmrc" }]);
  expect(refused[0]?.reason).toContain("[REDACTED:npm-token] in it stands for words");
  const fine = extractFiles(text.replace("[REDACTED:npm-token]", "[REDACTED]"));
  expect(fine.refused).toEqual([]);
});

verifies(
  "004-2",
  "a text that yields no file is a task_analysis action, and nothing else is",
  () => {
    const text = "First read the log.\nThen ask who wrote it.\n";
    const { files, refused, analysis } = extractFiles(text);
    expect([files, refused.length]).toEqual([[], 1]);
    expect(analysis).toEqual({
      action: "task_analysis",
      lines: [1, 2],
      bytes: 43,
      sha256: createHash("sha256").update(text).digest("hex"),
    });
    const partial = extractFiles("Add this to `a.ts`:\n\n```ts\nconst b = 2;\n```\n");
    expect([partial.files, partial.analysis?.action]).toEqual([[], "task_analysis"]);
    expect(extractFiles("Create file `a.ts`:\n\n```ts\nconst a = 1;\n```\n").analysis).toBe(
      undefined,
    );
    expect(extractFiles(" \n").analysis).toBe(undefined);
  },
);

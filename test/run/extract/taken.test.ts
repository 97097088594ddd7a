import { expect, test } from "vitest";
import { extractFiles } from "../../../src/run/extract/index.ts";
import { verifies } from "../../verifies.ts";

const block = (lead: string, code = "code\n", info = "ts"): string =>
  `${lead}\n\`\`\`${info}\n${code}\`\`\`\n`;

/** What was taken, as path, form and lines; nothing may be refused beside it. */
function taken(text: string): [string, string, string][] {
  const { files, refused } = extractFiles(text);
  expect(refused).toEqual([]);
  return files.map(({ path, form, lines }) => [path, form, lines.join("-")]);
}

verifies("004-28", "a name in backticks right before its block is the block's", () => {
  expect(taken(block("Create file `src/main.rs`:"))).toEqual([["src/main.rs", "backticks", "2-4"]]);
  expect(taken(block("Create file `src/main.rs`:\n"))).toEqual([
    ["src/main.rs", "backticks", "3-5"],
  ]);
});

verifies("004-29", "two more lead-ins count, and so do their kin", () => {
  for (const lead of [
    "The file `config.yaml` should have the following content:",
    "File named `config.yaml` with this code:",
    "`config.yaml` content:",
    "`config.yaml`:",
    "**`config.yaml`**",
    "### `config.yaml`",
    "2. `config.yaml` (new file)",
    "Here is `config.yaml`:",
    "Create a new file called `config.yaml`, with this in it:",
    "Create file `config.yaml`,\nwhich the server reads when it starts:",
    "Add a new file at `config.yaml`:",
    "Add `config.yaml` to the project:",
    "Save this as `config.yaml`:",
    "Write the following to `config.yaml`:",
    "Replace the contents of `config.yaml` with:",
    "**File:** `config.yaml`",
    "Create file `./config.yaml`:",
    "- `config.yaml` – the settings:",
    "Create a test file `config.yaml`:",
    "The final `config.yaml` looks like this:",
    "Modify `config.yaml`:",
    "Step 2: `config.yaml`",
    "Update existing file `config.yaml`:",
    "Create file `config.yaml`, which prints nothing:",
  ]) {
    expect([lead, taken(block(lead)).map(([path]) => path)]).toEqual([lead, ["config.yaml"]]);
  }
});

verifies("004-30", "an update gives the whole file and is taken as that", () => {
  const [file] = extractFiles(
    block("Update file `package.json`:", '{ "name": "a" }\n', "json"),
  ).files;
  expect(file).toMatchObject({ path: "package.json", content: '{ "name": "a" }\n', bytes: 16 });
  expect(file?.sha256).toBe("3593a6d472c353fbb74fbb51f185d491c9538e9add49f3d3ee5f4707fa335da7");
});

verifies("004-31", "several files come one by one, each with its own name", () => {
  const text =
    block("Create file `src/lib.rs`:") + block("\nCreate file `tests/test_lib.rs`:", "test\n");
  expect(taken(text)).toEqual([
    ["src/lib.rs", "backticks", "2-4"],
    ["tests/test_lib.rs", "backticks", "7-9"],
  ]);
});

verifies(
  ["004-1", "004-5", "004-27"],
  "a comment, a name with content, a header and a heredoc give a file each, from one response",
  () => {
    const text = [
      "```python\n# app/main.py\nprint(1)\n```",
      "`hello.sh` content:\n```bash\n#!/bin/sh\necho hello\n```",
      "--- filename: notes.txt ---\nplain text\n--- end ---",
      "```bash\ncat > data.csv << EOF\na,b\nEOF\n```",
    ].join("\n\n");
    expect(taken(text)).toEqual([
      ["app/main.py", "comment", "1-4"],
      ["hello.sh", "backticks", "7-10"],
      ["notes.txt", "header", "12-14"],
      ["data.csv", "heredoc", "17-19"],
    ]);
    expect(extractFiles(text).files.map(({ content }) => content)).toEqual([
      "print(1)\n",
      "#!/bin/sh\necho hello\n",
      "plain text\n",
      "a,b\n",
    ]);
  },
);

test("the info string can hold the name in all the ways people write it", () => {
  for (const info of [
    "ts path=src/a.ts",
    'ts path="src/a.ts"',
    "ts file=src/a.ts",
    "ts filename='src/a.ts' {1,3}",
    'ts title="src/a.ts"',
    "ts {path=src/a.ts}",
    "ts:src/a.ts",
    "src/a.ts",
    "ts src/a.ts",
    "typescript:./src/a.ts",
  ]) {
    expect([info, taken(block("", "code\n", info))]).toEqual([info, [["src/a.ts", "info", "2-4"]]]);
  }
});

test("a comment in any language can hold the name, and is not part of the file then", () => {
  for (const comment of [
    "// src/a.ts",
    "# src/a.ts",
    "-- src/a.ts",
    "; src/a.ts",
    "% src/a.ts",
    "/* src/a.ts */",
    "<!-- src/a.ts -->",
    "(* src/a.ts *)",
    "{/* src/a.ts */}",
    "{- src/a.ts -}",
    "{# src/a.ts #}",
    "' src/a.ts",
    '" src/a.ts',
    "REM src/a.ts",
    "// file: src/a.ts",
    "# filename: src/a.ts",
  ]) {
    const text = block("", `${comment}\ncode\n`);
    expect([comment, extractFiles(text).files.map(({ path, content }) => [path, content])]).toEqual(
      [comment, [["src/a.ts", "code\n"]]],
    );
  }
});

test("where the name stands elsewhere, too, the comment stays in the file", () => {
  const code = "// src/a.ts\ncode\n";
  for (const text of [
    block("`src/a.ts`:", code),
    block("Create file `app/src/a.ts`:", code),
    block("", code, "ts path=src/a.ts"),
    block("--- src/a.ts ---", code),
  ]) {
    expect(extractFiles(text).files.map(({ content }) => content)).toEqual([code]);
  }
});

test("heredocs are read in the ways people write them", () => {
  for (const command of [
    "cat > src/a.ts <<'EOF'",
    'cat > src/a.ts << "EOF"',
    "cat > src/a.ts <<\\EOF",
    "cat <<'EOF' > src/a.ts",
    "cat <<EOF >src/a.ts",
    "cat > 'src/a.ts' <<EOF",
    "tee src/a.ts <<'EOF'",
    "tee src/a.ts > /dev/null <<'EOF'",
    "mkdir -p src && cat > src/a.ts <<'EOF'",
    "mkdir -p src; cat > ./src/a.ts <<'EOF'",
  ]) {
    const fenced = extractFiles(
      `\`\`\`bash\nset -e\n${command}\ncode\nEOF\nchmod +x src/a.ts\n\`\`\`\n`,
    );
    expect([command, fenced.refused, fenced.files]).toMatchObject([
      command,
      [],
      [{ path: "src/a.ts", content: "code\n", lines: [3, 5], form: "heredoc" }],
    ]);
  }
  expect(taken("cat > a.txt <<'EOF'\ntext\nEOF\n")).toEqual([["a.txt", "heredoc", "1-3"]]);
});

test("longer fences, tildes and lists hold what shorter fences would end", () => {
  const readme = "# Use\n\n```sh\nnpm test\n```\n";
  for (const text of [
    `\`README.md\`:\n\`\`\`\`md\n${readme}\`\`\`\`\n`,
    `\`README.md\`:\n~~~\n${readme}~~~~\n`,
    `- \`README.md\`:\n\n  \`\`\`\`\n${readme.replace(/^(?=.)/gm, "  ")}  \`\`\`\`\n`,
    `12. \`README.md\`:\n\n    ~~~md\n${readme.replace(/^(?=.)/gm, "    ")}    ~~~\n`,
  ]) {
    expect(extractFiles(text)).toMatchObject({ files: [{ content: readme }], refused: [] });
  }
});

test("a mark for the byte order before the text is no part of it", () => {
  expect(taken(`\uFEFF${block("", "code\n", "ts path=a.ts").trimStart()}`)).toEqual([
    ["a.ts", "info", "1-3"],
  ]);
});

test("a language that is called like a file does not hide the name before the block", () => {
  expect(taken(block("Create `Dockerfile`:", "FROM scratch\n", "dockerfile"))).toHaveLength(1);
});

test("the same file twice is one file", () => {
  const text = block("Create file `a.ts`:") + block("Once more, `a.ts`:");
  expect(taken(text)).toEqual([["a.ts", "backticks", "2-4"]]);
});

test("commands, shown output and drawings of folders are left aside and said to be", () => {
  const text = [
    block("Create file `a.ts`:"),
    block("Run:", "npm test\n", "sh"),
    block("It says:", "$ ok\n", "console"),
    block("Layout:", "src\n├── a.ts\n└── b.ts\n", ""),
  ].join("\n");
  const { files, refused, aside } = extractFiles(text);
  expect([files.length, refused]).toEqual([1, []]);
  expect(aside.map(({ lines, reason }) => [lines[0], reason])).toEqual([
    [7, "commands to run"],
    [12, "console is shown, not saved"],
    [17, "a drawing of folders"],
  ]);
});

test("code that only looks as if it left something out is taken", () => {
  const code = [
    "const all = { ...before, ...after };",
    "function log(...args: unknown[]): void {}",
    "  ...rest,",
    'const waiting = "Loading...";',
    "// Waits for the other side to continue the handshake.",
    "// The existing head wins, because it was signed first.",
    "// Removes the rest of the queue when the signal says so, and tells nobody about it at all.",
    "return a; // see the original paper",
    "// The way in, and the rest of a line; everything else is a failure.",
    "  #omitted = 0;",
    "/* Same as above, but from right to left. */",
    "",
  ].join("\n");
  expect(taken(block("`a.ts`:", code))).toHaveLength(1);
  expect(
    taken(block("`a.py`:", "class A(Protocol):\n    def run(self) -> None:\n        ...\n")),
  ).toHaveLength(1);
  expect(taken(block("`a.yaml`:", "---\na: 1\n...\n"))).toHaveLength(1);
  expect(
    taken(block("`a.md`:", "# Existing code\n\nThe rest of the file...\n", "md")),
  ).toHaveLength(1);
  expect(taken(block("`a.c`:", "int printf(const char *format,\n           ...);\n"))).toHaveLength(
    1,
  );
});

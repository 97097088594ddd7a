import { expect, test } from "vitest";
import { fenced, review, titles } from "./review.ts";

const MANIFEST = JSON.stringify({
  name: "@shop/tool",
  scripts: { build: "tsc", test: "vitest", "lint:fix": "biome" },
  bin: { one: "dist/one.js", two: "dist/two.js" },
});
const TREE = {
  "package.json": MANIFEST,
  "packages/web/package.json": JSON.stringify({ name: "web", scripts: { dev: "vite" } }),
  Makefile: "CC := gcc\nall: build\nbuild test:\n\tgcc x.c\n.PHONY: all\n",
  "scripts/setup.sh": "",
  "scripts/run.mjs": "",
  "tools/gen": "",
};
const shell = (...lines: string[]): string[] =>
  titles({ ...TREE, "README.md": fenced("sh", ...lines) });

test("a missing script is found, and counts more in a README", () => {
  const text = fenced("bash", "npm ci", "npm run biuld");
  const { found } = review({ ...TREE, "README.md": text, "docs/a.md": text });
  expect(found.map(({ title, priority, citations }) => [title, priority, citations[0]])).toEqual([
    [
      "The script biuld does not exist",
      "P2",
      { file: "README.md", line: 5, quote: "npm run biuld" },
    ],
    [
      "The script biuld does not exist",
      "P3",
      { file: "docs/a.md", line: 5, quote: "npm run biuld" },
    ],
  ]);
});

test.each([
  ["npm start", "The script start does not exist"],
  ["npm run -s deploy -- --now", "The script deploy does not exist"],
  ["pnpm run deploy", "The script deploy does not exist"],
  ["yarn run deploy", "The script deploy does not exist"],
  ["CI=1 npm run deploy && echo done", "The script deploy does not exist"],
  ["npm ci && \\\n  npm run deploy", "The script deploy does not exist"],
  ["make instal", "The make target instal does not exist"],
  ["make -j4 build instal", "The make target instal does not exist"],
  ["npx @shop/tool --help", "The package has no command tool"],
  ["node scripts/gone.mjs", "scripts/gone.mjs is run and does not exist"],
  ["./scripts/gone.sh --all", "scripts/gone.sh is run and does not exist"],
  ["bash scripts/gone.sh", "scripts/gone.sh is run and does not exist"],
  ["cd packages/web\nnpm run nothing", "The script nothing does not exist"],
  [
    "git clone https://x.internal/tool\ncd tool\nnpm run nothing",
    "The script nothing does not exist",
  ],
])("a command that cannot work is found: %j", (lines, title) => {
  expect(shell(...lines.split("\n"))).toEqual([title]);
});

test.each([
  "npm test",
  "npm run build",
  "npm run lint:fix -- src",
  "npm install\nnpm i -D x\nnpm publish\nnpm run",
  "npm run dev",
  "npm run $SCRIPT",
  "npm run <script>",
  "npm run x --if-present",
  "npm run x -w packages/web",
  "npm --prefix packages/web run x",
  "yarn deploy",
  "# npm run deploy",
  "echo hi # npm run deploy",
  "make\nmake all\nmake CC=clang test\nmake -C sub other",
  "npx @shop/other\nnpx -y vitest run",
  "node scripts/run.mjs\nnode scripts/run\n./scripts/setup.sh\n./tools/gen",
  "node dist/cli.js\n./build/run.sh\nnode -e 'x'\npython -m scripts.gone",
  "./gradlew build\n./configure",
  "node other/place.mjs",
  "mkdir demo && cd demo\nnpm run deploy",
  "npm init -y\nnpm run deploy",
  "npx create-thing app\ncd app\nnpm start",
  "cd ~/elsewhere\nnpm run deploy",
  "cat > x <<EOF\nnpm run deploy\nEOF",
  "for f in *; do npm run deploy; done",
  "curl -o scripts/got.sh https://x.internal\nbash scripts/got.sh",
  "node path/to/file.js\nnode scripts/your-script.mjs",
])("nothing is said about %j", (lines) => {
  expect(shell(...lines.split("\n"))).toEqual([]);
});

test("in a console block only what follows a prompt is a command", () => {
  const text = fenced(
    "console",
    "$ npm run build",
    "npm run made-up by the output",
    "$ npm run gone",
  );
  expect(titles({ ...TREE, "README.md": text })).toEqual(["The script gone does not exist"]);
});

test("only blocks that say they are for a shell are read", () => {
  for (const language of ["", "js", "text", "yaml"]) {
    expect(titles({ ...TREE, "README.md": fenced(language, "npm run gone") })).toEqual([]);
  }
});

test("without a manifest nothing is said about its commands", () => {
  const text = fenced("sh", "npm run gone", "make gone", "npx tool");
  expect(titles({ "README.md": text, "src/a.ts": "" })).toEqual([]);
});

test("a manifest that cannot be read is no reason to complain", () => {
  const text = fenced("sh", "npm run gone");
  expect(titles({ "README.md": text, "package.json": "{" })).toEqual([]);
  expect(titles({ "README.md": text, "package.json": "[".repeat(100_000) })).toEqual([]);
});

test("a script that the page tells the reader to add is not missing", () => {
  const text = `${fenced("json", '"scripts": {', '  "deploy": "x"', "}")}${fenced("sh", "npm run deploy")}`;
  expect(titles({ ...TREE, "README.md": text })).toEqual([]);
});

test("a makefile whose targets depend on make is not judged", () => {
  for (const makefile of ["include x.mk\n", "%.o: %.c\n", "$(NAME): x\n", ".DEFAULT:\n\techo\n"]) {
    expect(titles({ Makefile: makefile, "README.md": fenced("sh", "make gone") })).toEqual([]);
  }
});

test("a package with one command may be run by its own name", () => {
  const manifest = JSON.stringify({ name: "tool", bin: { other: "x.js" } });
  expect(titles({ "package.json": manifest, "README.md": fenced("sh", "npx tool") })).toEqual([]);
  const none = JSON.stringify({ name: "tool" });
  expect(titles({ "package.json": none, "README.md": fenced("sh", "npx tool@latest x") })).toEqual([
    "The package has no command tool",
  ]);
});

test("a command in an indented block is held against the tree like one in a fence", () => {
  const text = "# Use\n\nRun this:\n\n    npm ci\n\n    npm run gone\n\nand then go on.\n";
  expect(titles({ ...TREE, "README.md": text })).toEqual(
    titles({ ...TREE, "README.md": fenced("sh", "npm ci", "npm run gone") }),
  );
  expect(titles({ ...TREE, "README.md": text })).toHaveLength(1);
  const mixed = "Text:\n\n    npm run gone\n    | a table |\n";
  expect(titles({ ...TREE, "README.md": mixed })).toEqual([]);
  const list = "- first\n\n      npm run gone\n";
  expect(titles({ ...TREE, "README.md": list })).toEqual([]);
});

import { expect, test } from "vitest";
import { duplicate } from "../../../src/scan/duplicate/index.ts";
import { Finding } from "../../../src/schema/finding.ts";
import { processorMsSince } from "../../cost-growth.ts";

function review(files: Record<string, string>) {
  const reading = duplicate.start();
  for (const [path, text] of Object.entries(files)) {
    if (duplicate.covers(path)) reading.take({ path, text });
  }
  return { found: reading.finish(), skipped: reading.skipped };
}
const titles = (files: Record<string, string>): string[] =>
  review(files).found.map(({ title }) => title);

/** Fourteen lines with about 110 tokens, different for each name. */
const block = (name: string): string =>
  [
    `function ${name}(items, limit) {`,
    "  const kept = [];",
    `  let total = "${name}".length;`,
    "  for (const item of items) {",
    "    if (item.size > limit) continue;",
    "    total += item.size * item.count;",
    "    if (total > limit * 10) {",
    "      kept.push({ ...item, last: true });",
    "      break;",
    "    }",
    "    kept.push(item);",
    "  }",
    `  return { kept, total, by: ${name} };`,
    "}",
    "",
  ].join("\n");

test("a block that stands in two files is reported once, with both places quoted", () => {
  const files = {
    "src/a.ts": `// head\n${block("sum")}`,
    "src/b.ts": `${block("other")}${block("sum")}`,
  };
  const { found } = review(files);
  expect(found).toHaveLength(1);
  expect(found[0]?.title).toBe(
    "14 lines of code stand twice: src/a.ts lines 2 to 15 and src/b.ts lines 15 to 28",
  );
  expect(found[0]?.priority).toBe("P3");
  const quote = block("sum").split("\n").slice(0, 3).join("\n");
  expect(found[0]?.citations).toEqual([
    { file: "src/a.ts", line: 2, end_line: 4, quote },
    { file: "src/b.ts", line: 15, end_line: 17, quote },
  ]);
  expect(Finding.safeParse({ id: "DUP-001", ...found[0] }).success).toBe(true);
});

test("a block that stands twice in one file is reported", () => {
  expect(titles({ "a.js": `${block("sum")}${block("other")}${block("sum")}` })).toEqual([
    "14 lines of code stand twice: a.js lines 1 to 14 and a.js lines 29 to 42",
  ]);
});

test("white space, blank lines and comments make no difference", () => {
  const other = block("sum")
    .replaceAll("\n", " // a remark\n\n")
    .replaceAll("  ", "\t")
    .replace("item.size * item.count;", "item.size*item.count; /* both\nmatter */");
  expect(titles({ "a.ts": block("sum"), "b.ts": other })).toHaveLength(1);
});

test("Python's comments are known", () => {
  const python = Array.from(
    { length: 14 },
    (_, at) => `value_${at} = compute(${at}, other[${at}])`,
  );
  const remarked = python.map((line) => `${line}  # a remark`);
  expect(titles({ "a.py": python.join("\n"), "b.py": remarked.join("\n") })).toHaveLength(1);
});

test("a mark of a comment inside a text is part of the text", () => {
  const one = block("sum").replace('"sum"', '"a // b"');
  const other = block("sum").replace('"sum"', '"a // c"');
  expect(titles({ "a.ts": one, "b.ts": other })).toEqual([]);
});

test("one different line ends a block", () => {
  const changed = block("sum").replace("total += item.size", "total -= item.size");
  expect(titles({ "a.ts": block("sum"), "b.ts": changed })).toEqual([]);
});

test("eleven lines are no block, twelve are", () => {
  const lines = block("sum").split("\n");
  const cut = (count: number) => ({
    "a.ts": lines.slice(0, count).join("\n"),
    "b.ts": `const x = 1;\n${lines.slice(0, count).join("\n")}\nconst y = 2;`,
  });
  expect(titles(cut(11))).toEqual([]);
  expect(titles(cut(12))).toHaveLength(1);
});

test("many lines with few tokens are no block", () => {
  const short = Array.from({ length: 14 }, (_, at) => `a${at}();`.replace("();", "")).join("\n");
  expect(titles({ "a.ts": short, "b.ts": short })).toEqual([]);
});

test("rows of a table are no block", () => {
  const table = "  [0, 0, 0, 0, 0, 0, 0, 0, 0],\n".repeat(60);
  expect(titles({ "a.ts": table, "b.ts": table })).toEqual([]);
});

test("imports and licence headers are no block", () => {
  const names = Array.from({ length: 20 }, (_, at) => `  nameNumber${at},`).join("\n");
  const head = Array.from(
    { length: 20 },
    (_, at) => ` * Licence line ${at}, as is, without warranty.`,
  );
  const imports = Array.from(
    { length: 20 },
    (_, at) => `import { a${at}, b${at} } from "./m${at}.ts";`,
  );
  const text = `/*\n${head.join("\n")}\n */\n${imports.join("\n")}\nimport {\n${names}\n} from "./x.ts";\n`;
  expect(titles({ "a.ts": `${text}run(1);`, "b.ts": `${text}run(2);` })).toEqual([]);
});

test("a third copy is paired with the first", () => {
  const found = titles({ "a.ts": block("sum"), "b.ts": block("sum"), "c.ts": block("sum") });
  expect(found.map((title) => title.replace(/.*twice: /, ""))).toEqual([
    "a.ts lines 1 to 14 and b.ts lines 1 to 14",
    "a.ts lines 1 to 14 and c.ts lines 1 to 14",
  ]);
});

test("generated, vendored and fixture files, data and prose are not compared", () => {
  const paths = ["node_modules/x/a.ts", "test/fixtures/a.ts", "a.json", "a.md", "dist/a.js"];
  expect(paths.filter(duplicate.covers)).toEqual([]);
  const { found, skipped } = review({
    "a.ts": block("sum"),
    "b.ts": `// @generated\n${block("sum")}`,
  });
  expect(found).toEqual([]);
  expect(skipped).toEqual([{ path: "b.ts", why: "marked @generated in line 1" }]);
});

test("a file too large to compare is named as skipped", () => {
  const { skipped } = review({ "a.ts": "a();\n".repeat(500_000) });
  expect(skipped).toEqual([{ path: "a.ts", why: "longer than 2000000 characters" }]);
});

test.each([
  "/*",
  "`",
  '"',
  "'",
  "#",
  "/*a*/",
  "import {\n",
  '"""',
  "\\",
  "export {",
  "a\n",
  "use a\n",
])("a megabyte of %j is read in time", (part) => {
  const text = part.repeat(Math.floor(1_000_000 / part.length));
  const from = process.cpuUsage();
  review({ "a.ts": text, "b.py": text, "c.vue": text });
  expect(processorMsSince(from)).toBeLessThan(20_000);
});

test("a tree of 100,000 lines stays small and is read in time", () => {
  const files = Array.from({ length: 500 }, (_, file) => {
    const lines = Array.from(
      { length: 200 },
      (_, at) => `  const value${at} = call${file}(${at}, other);`,
    );
    return [`src/f${file}.ts`, `${lines.join("\n")}\n${file % 100 === 0 ? block("same") : ""}`];
  });
  const before = process.memoryUsage().rss;
  const from = process.cpuUsage();
  expect(titles(Object.fromEntries(files))).toHaveLength(4);
  expect(processorMsSince(from)).toBeLessThan(20_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
});

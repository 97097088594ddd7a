import { expect, test } from "vitest";
import { CheckedFinding, type Citation, type Finding } from "../../src/schema/finding.ts";
import { CitationChecker, checkFinding, identified } from "../../src/verify/citation/index.ts";
import { processorMsSince } from "../cost-growth.ts";
import { verifies } from "../verifies.ts";
import { findingAt, MemoryTree } from "./citation-tree.ts";

const LOGIN = `import { query } from "./db";

export function login(name: string, password: string) {
  const sql = "SELECT * FROM users WHERE name = '" + name + "'";
  const user = query(sql);
  if (user.password === password) {
    return user;
  }
  return null;
}

export function logout(user: User) {
  if (!user) {
    return null;
  }
  user.close();
}
`;
const FILES = { "src/login.ts": LOGIN, "src/db.ts": "export function query(sql: string) {}\n" };
const SQL = `  const sql = "SELECT * FROM users WHERE name = '" + name + "'";`;

async function check(citation: Citation, more: Partial<Finding> = {}, files: object = FILES) {
  const checked = await checkFinding(findingAt(citation, more), new MemoryTree({ ...files }));
  expect(CheckedFinding.safeParse(identified(checked)).error).toBe(undefined);
  const { verdict, reason, found } = checked;
  return { verdict, reason, found };
}
const at = (line: number, quote?: string): Citation => ({
  file: "src/login.ts",
  line,
  ...(quote === undefined ? {} : { quote }),
});

verifies(["000-50", "000-47"], "exact text at the cited line is confirmed", async () => {
  expect(await check(at(4, SQL))).toEqual({
    verdict: "CONFIRMED",
    reason: "the quoted text is at line 4",
    found: undefined,
  });
  const several = `${SQL}\n  const user = query(sql);\n  if (user.password === password) {`;
  expect(await check(at(4, several))).toMatchObject({ verdict: "CONFIRMED" });
});

test("a cited line inside the quoted block, and a quote inside cited lines, are both at their place", async () => {
  const block = `${SQL}\n  const user = query(sql);\n  if (user.password === password) {`;
  expect(await check(at(5, block))).toMatchObject({ verdict: "CONFIRMED" });
  expect(await check({ ...at(3, SQL), end_line: 10 })).toMatchObject({ verdict: "CONFIRMED" });
  expect(await check({ ...at(10, SQL), end_line: 3 })).toMatchObject({ verdict: "CONFIRMED" });
  expect(await check(at(7, block))).toMatchObject({ verdict: "INACCURATE" });
  expect(await check(at(3, block))).toMatchObject({ verdict: "INACCURATE" });
});

test("a part of a line is exact, a part of a word is not", async () => {
  expect(await check(at(6, "user.password === password"))).toMatchObject({ verdict: "CONFIRMED" });
  expect(await check(at(6, "ser.password === pass"))).toMatchObject({ verdict: "HALLUCINATED" });
  expect(await check(at(6, "user.password === pass"))).toMatchObject({ verdict: "HALLUCINATED" });
});

verifies("000-50", "exact text elsewhere is inaccurate, with its true place", async () => {
  expect(await check(at(9, SQL))).toEqual({
    verdict: "INACCURATE",
    reason: "the quoted text is at line 4",
    found: { file: "src/login.ts", line: 4 },
  });
});

test("text in several places elsewhere is inaccurate, with the nearest and their number", async () => {
  expect(await check(at(16, "return null;"))).toEqual({
    verdict: "INACCURATE",
    reason: "the quoted text is in 2 places, the nearest at line 14",
    found: { file: "src/login.ts", line: 14 },
  });
  expect(await check(at(14, "return null;"))).toMatchObject({ verdict: "CONFIRMED" });
});

test("a text that stands in thousands of places is still right at the cited one", async () => {
  const files = { "src/login.ts": "same line\n".repeat(5_000) };
  expect(await check(at(4_321, "same line"), {}, files)).toMatchObject({ verdict: "CONFIRMED" });
  const other = { "src/login.ts": `${"same line\n".repeat(5_000)}other\n` };
  expect((await check(at(5_001, "same line"), {}, other)).reason).toContain("at least 1000 places");
});

test("a difference in white space alone is inaccurate, with the true place", async () => {
  const tabs = `\tconst sql = "SELECT * FROM users WHERE name = '" + name + "'";\n\tconst user = query( sql );`;
  expect(await check(at(4, tabs))).toEqual({
    verdict: "INACCURATE",
    reason: "the quoted text is there, but its white space differs",
    found: { file: "src/login.ts", line: 4 },
  });
  const joined = "if (user.password === password) { return user; }";
  expect(await check(at(1, joined))).toMatchObject({
    verdict: "INACCURATE",
    found: { file: "src/login.ts", line: 6 },
  });
  // Without white space, too, a quote must not begin within a word.
  expect(await check(at(6, "ser . password === password"))).toMatchObject({
    verdict: "HALLUCINATED",
  });
});

verifies(["000-50", "000-45"], "text that is nowhere in the file is made up", async () => {
  const invented = "const sql = db.prepare('SELECT 1');";
  expect(await check(at(4, invented))).toMatchObject({
    verdict: "HALLUCINATED",
    reason: expect.stringContaining("the quoted text is not in src/login.ts"),
  });
  expect((await check(at(4, `${SQL} // checked`))).reason).toContain("line 4 is similar");
});

test("a quote of real lines with one invented among them is made up", async () => {
  const mixed = `${SQL}\n  escape(sql);\n  const user = query(sql);`;
  expect(await check(at(4, mixed))).toMatchObject({ verdict: "HALLUCINATED" });
});

verifies(
  "000-45",
  "a file that is not there is made up, and the nearest name is only a hint",
  async () => {
    expect(await check({ file: "src/auth/login.ts", line: 4, quote: SQL })).toEqual({
      verdict: "HALLUCINATED",
      reason: "there is no file src/auth/login.ts; the nearest name is src/login.ts",
      found: undefined,
    });
    expect((await check({ file: "src/logins.ts", line: 4, quote: SQL })).reason).toContain(
      "src/login.ts",
    );
    expect((await check({ file: "zebra.py" })).reason).toBe("there is no file zebra.py");
  },
);

verifies("000-45", "a line past the end is made up unless the text is elsewhere", async () => {
  expect(await check(at(18))).toEqual({
    verdict: "HALLUCINATED",
    reason: "line 18 is past the end: src/login.ts has 17 lines",
    found: undefined,
  });
  expect(await check(at(99, "nothing like it"))).toMatchObject({
    verdict: "HALLUCINATED",
    reason: expect.stringContaining("line 99 is past the end"),
  });
  expect(await check(at(99, SQL))).toMatchObject({ verdict: "INACCURATE" });
  expect(await check({ ...at(17), end_line: 18 })).toMatchObject({ verdict: "HALLUCINATED" });
});

test("without a quote nothing is confirmed", async () => {
  const files = { ...FILES, "empty.txt": "" };
  for (const quote of [undefined, "", "  \n ", "...", "…\n// ..."]) {
    expect(await check(at(4, quote), {}, files)).toEqual({
      verdict: "UNVERIFIED",
      reason: "the line exists, but nothing was quoted",
      found: undefined,
    });
  }
  expect((await check({ file: "empty.txt" }, {}, files)).verdict).toBe("UNVERIFIED");
  expect((await check({ file: "empty.txt", line: 1 }, {}, files)).verdict).toBe("HALLUCINATED");
  expect((await check(at(17))).verdict).toBe("UNVERIFIED");
});

test("lines past the end are not confirmed by a quote from before it", async () => {
  expect(await check({ ...at(4, SQL), end_line: 99 })).toEqual({
    verdict: "INACCURATE",
    reason: "line 99 is past the end: src/login.ts has 17 lines; the quoted text is at line 4",
    found: { file: "src/login.ts", line: 4 },
  });
});

test("punctuation alone proves nothing", async () => {
  expect(await check(at(8, "  }"))).toMatchObject({
    verdict: "UNVERIFIED",
    reason: "nothing was quoted but punctuation",
  });
});

test("punctuation proves no more at a wrong line, with other white space, or without a line", async () => {
  for (const citation of [at(4, "}"), at(6, "){"), { file: "src/login.ts", quote: "}" }]) {
    expect(await check(citation)).toEqual({
      verdict: "UNVERIFIED",
      reason: "nothing was quoted but punctuation",
      found: undefined,
    });
  }
  expect(await check(at(999, "}"))).toMatchObject({
    verdict: "HALLUCINATED",
    reason: "line 999 is past the end: src/login.ts has 17 lines",
  });
});

test("without a line, a unique text is confirmed with its place and a common one is not", async () => {
  expect(await check({ file: "src/login.ts", quote: SQL })).toMatchObject({
    verdict: "CONFIRMED",
    found: { file: "src/login.ts", line: 4 },
  });
  expect(await check({ file: "src/login.ts", quote: "return null;" })).toMatchObject({
    verdict: "INACCURATE",
    reason: "the quoted text is in 2 places, the first at line 9",
  });
});

test("a quote with lines left out is matched part by part, in order", async () => {
  const parts = (mark: string) => `${SQL}\n${mark}\n  return null;`;
  for (const mark of ["...", "  // ...", "…", "# ...", "/* ... */", "[...]", "<!-- ... -->"]) {
    expect(await check(at(4, parts(mark)))).toMatchObject({ verdict: "CONFIRMED" });
  }
  expect(await check(at(4, `  return user;\n...\n${SQL}`))).toMatchObject({
    verdict: "HALLUCINATED",
  });
  expect(await check(at(4, `...\n${SQL}\n...`))).toMatchObject({ verdict: "CONFIRMED" });
  expect(await check(at(1, parts("...")))).toMatchObject({
    verdict: "INACCURATE",
    found: { file: "src/login.ts", line: 4 },
  });
  expect(await check(at(4, `${SQL}\n...\n  return   null;`))).toMatchObject({
    verdict: "INACCURATE",
  });
});

test("lines left out bridge no more than a screen or two", async () => {
  const far = (lines: number) => ({
    "src/login.ts": `if (isAdmin) {\n${"// filler\n".repeat(lines)}  removeAll();\n`,
  });
  const quote = "if (isAdmin) {\n  ...\n  removeAll();";
  expect(await check(at(1, quote), {}, far(190))).toMatchObject({ verdict: "CONFIRMED" });
  expect(await check(at(1, quote), {}, far(300))).toEqual({
    verdict: "INACCURATE",
    reason: "the quoted parts stand far apart, in lines 1 to 302",
    found: { file: "src/login.ts", line: 1 },
  });
  const twice = { "src/login.ts": `${far(300)["src/login.ts"]}${far(2)["src/login.ts"]}` };
  expect(await check(at(303, quote), {}, twice)).toMatchObject({ verdict: "CONFIRMED" });
});

test("dots that stand in the source are text", async () => {
  const files = { "stub.py": "def stub():\n    ...\n    x = 1\n" };
  const quote = "def stub():\n    ...\n    x = 1";
  expect(await check({ file: "stub.py", line: 1, quote }, {}, files)).toMatchObject({
    verdict: "CONFIRMED",
  });
});

test("line ends of Windows match quotes with either kind, and the other way round", async () => {
  const files = { "dos.ts": "one();\r\ntwo();\r\nthree();\r\n" };
  for (const quote of ["two();\nthree();", "two();\r\nthree();\r\n"]) {
    expect(await check({ file: "dos.ts", line: 2, quote }, {}, files)).toMatchObject({
      verdict: "CONFIRMED",
    });
  }
  expect(await check(at(9, "  return null;\r\n}\r\n"))).toMatchObject({ verdict: "CONFIRMED" });
});

test("marks of lists and quotations do not count in documents, and do in code", async () => {
  const text =
    "# Title\n\n- Install it with care\n- [ ] Then run it\n\n> Never as root\nPlain text\n";
  const files = { "README.md": text, "list.ts": "const a =\n- offset\n" };
  const doc = (line: number, quote: string) => check({ file: "README.md", line, quote }, {}, files);
  expect(await doc(3, "> Install it with care\n> Then run it")).toMatchObject({
    verdict: "CONFIRMED",
  });
  expect(await doc(6, "Never as root\nPlain text")).toMatchObject({ verdict: "CONFIRMED" });
  expect(await doc(6, "> > Never as admin")).toMatchObject({ verdict: "HALLUCINATED" });
  expect(
    await check({ file: "list.ts", line: 1, quote: "const a =\noffset" }, {}, files),
  ).toMatchObject({ verdict: "HALLUCINATED" });
});

test("paths are taken as they were meant", async () => {
  const written = [
    "./src/login.ts",
    "src/./login.ts",
    "/src/login.ts",
    "src//login.ts",
    "a/src/login.ts",
    "b/src/login.ts",
    "src\\login.ts",
    "src/x/../login.ts",
  ];
  for (const file of written) {
    expect(await check({ file, line: 4, quote: SQL })).toMatchObject({ verdict: "CONFIRMED" });
  }
  const files = { ...FILES, "a/src/login.ts": "other\n" };
  expect(await check({ file: "a/src/login.ts", line: 1, quote: "other" }, {}, files)).toMatchObject(
    {
      verdict: "CONFIRMED",
    },
  );
});

test("a path that leads out of the repository is made up and never asked for", async () => {
  for (const file of ["../secret", "src/../../etc/passwd", "..", "/", ".", "a\0b"]) {
    const tree = new MemoryTree({ "../secret": "s\n", "src/login.ts": LOGIN });
    const { verdict, reason } = await checkFinding(findingAt({ file, line: 1 }), tree);
    expect([verdict, reason]).toEqual([
      "HALLUCINATED",
      expect.stringContaining("is outside the repository"),
    ]);
    expect(tree.asked).toEqual([]);
  }
});

test("what cannot be compared leaves a finding unverified, each for its own reason", async () => {
  const files = {
    "image.png": Buffer.from("a\0b"),
    "huge.json": { kind: "too-large", size: 99 },
    "gone.bin": { kind: "unreadable", why: "the object is missing" },
    link: { kind: "link" },
    "vendor/lib": { kind: "submodule" },
  };
  const reasons: Record<string, string> = {
    "image.png": "binary",
    "huge.json": "99 bytes",
    "gone.bin": "the object is missing",
    link: "links are not followed",
    "vendor/lib": "submodule",
    "vendor/lib/x.c": "behind the submodule vendor/lib",
    "link/etc/passwd": "behind the link link",
  };
  for (const [file, why] of Object.entries(reasons)) {
    expect(await check({ file, line: 1, quote: "a b c" }, {}, files)).toMatchObject({
      verdict: "UNVERIFIED",
      reason: expect.stringContaining(why),
    });
  }
});

test("a tree that throws leaves a finding unverified", async () => {
  const tree = {
    find: () => Promise.reject(new Error("git died")),
    paths: () => Promise.resolve([]),
  };
  expect(await checkFinding(findingAt(at(4, SQL)), tree)).toMatchObject({
    verdict: "UNVERIFIED",
    reason: expect.stringContaining("git died"),
  });
});

test("a folder has no lines", async () => {
  expect(await check({ file: "src" })).toMatchObject({ verdict: "UNVERIFIED" });
  expect(await check({ file: "src/", line: 3 })).toMatchObject({
    verdict: "HALLUCINATED",
    reason: "src is a folder, and no text is in it",
  });
});

test("a file that is no UTF-8 is matched and said to be so", async () => {
  const files = { "old.c": Buffer.from("/* caf\xe9 */\nint main(void);\n", "latin1") };
  expect(await check({ file: "old.c", line: 2, quote: "int main(void);" }, {}, files)).toEqual({
    verdict: "CONFIRMED",
    reason: "the quoted text is at line 2; the file is not UTF-8 and was read as Latin-1",
    found: undefined,
  });
  expect(await check({ file: "old.c", line: 1, quote: "/* café */" }, {}, files)).toMatchObject({
    verdict: "CONFIRMED",
  });
});

test("a deleted file is compared as it was before", async () => {
  const files = { "old.ts": { kind: "file", bytes: Buffer.from("guard();\n"), at: "base" } };
  expect(await check({ file: "old.ts", line: 1, quote: "guard();" }, {}, files)).toMatchObject({
    verdict: "CONFIRMED",
    reason: expect.stringContaining("the change deletes this file"),
  });
  expect(await check({ file: "old.ts", line: 1, quote: "other();" }, {}, files)).toMatchObject({
    verdict: "HALLUCINATED",
  });
});

test("the old name of a renamed file is inaccurate, with the new one", async () => {
  const files = { ...FILES, "src/signin.ts": { kind: "moved", to: "src/login.ts" } };
  expect(await check({ file: "src/signin.ts", line: 4, quote: SQL }, {}, files)).toEqual({
    verdict: "INACCURATE",
    reason: "src/signin.ts was renamed to src/login.ts; the quoted text is at line 4",
    found: { file: "src/login.ts", line: 4 },
  });
  expect(await check({ file: "src/signin.ts", line: 4, quote: "no();" }, {}, files)).toMatchObject({
    verdict: "HALLUCINATED",
  });
  expect(await check({ file: "src/signin.ts", line: 4 }, {}, files)).toMatchObject({
    verdict: "UNVERIFIED",
  });
});

test("a rename that leads in a circle ends", async () => {
  const files = { a: { kind: "moved", to: "b" }, b: { kind: "moved", to: "a" } };
  expect(await check({ file: "a", line: 1, quote: "x y" }, {}, files)).toMatchObject({
    verdict: "UNVERIFIED",
  });
});

test("further citations and the path can only lower the verdict", async () => {
  const second = (citation: Citation) => ({ citations: [at(4, SQL), citation] });
  const verdict = async (more: Partial<Finding>) => (await check(at(4, SQL), more)).verdict;
  expect(await verdict(second(at(5)))).toBe("CONFIRMED");
  expect(await verdict(second(at(5, "made up here")))).toBe("HALLUCINATED");
  expect(await verdict(second(at(5, SQL)))).toBe("INACCURATE");
  expect(await verdict(second({ file: "nowhere.ts" }))).toBe("HALLUCINATED");
  expect(await verdict({ path: [at(99)] })).toBe("HALLUCINATED");
  expect(await verdict({ citations: [at(4), at(4, SQL)] })).toBe("UNVERIFIED");
});

test("a file is read once for many findings, also when they are checked at the same time", async () => {
  const tree = new MemoryTree(FILES);
  const checker = new CitationChecker(tree);
  const findings = Array.from({ length: 50 }, (_, line) => findingAt(at(line + 1, SQL)));
  const checked = await Promise.all(findings.map((finding) => checker.check(finding)));
  expect(checked.filter(({ verdict }) => verdict === "CONFIRMED")).toHaveLength(1);
  expect(tree.asked).toEqual(["src/login.ts"]);
});

test("text made to slow the search down is searched in bounded time", async () => {
  const files = { "src/login.ts": `${"a".repeat(1_000_000)}\n`.repeat(2) };
  const started = process.cpuUsage();
  for (const quote of [`b${"a".repeat(19_000)}`, `${"a".repeat(19_000)}b`, "a ".repeat(9_000)]) {
    expect((await check(at(1, quote), {}, files)).verdict).toBe("HALLUCINATED");
  }
  const elided = "a a a a a\n...\n".repeat(1_400);
  expect((await check(at(1, elided), {}, files)).verdict).toBe("HALLUCINATED");
  expect(processorMsSince(started)).toBeLessThan(20_000);
});

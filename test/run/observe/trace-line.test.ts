import * as fc from "fast-check";
import { expect, test } from "vitest";
import { folderOf, startedAt, startedBy } from "../../../src/run/observe/call-arguments.ts";
import { matchBirths } from "../../../src/run/observe/match-births.ts";
import { ProcessTable } from "../../../src/run/observe/process-table.ts";
import { parseTraceLine } from "../../../src/run/observe/trace-line.ts";

const hex = (text: string) =>
  `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;

test("each kind of line is told from the others", () => {
  const what = (text: string) => parseTraceLine(`[pid    12] 1700000000.000001 ${text}`)?.what;
  expect(parseTraceLine("1700000000.000001 +++ exited with 3 +++")).toEqual({
    pid: undefined,
    atUs: 1_700_000_000_000_001,
    what: { kind: "exited", code: 3 },
  });
  expect(what("+++ killed by SIGSEGV (core dumped) +++")).toEqual({
    kind: "killed",
    signal: "SIGSEGV",
  });
  expect(what("+++ superseded by execve in pid 14 +++")).toEqual({ kind: "superseded", by: 14 });
  expect(what("--- SIGTERM {si_signo=SIGTERM, si_code=SI_USER} ---")).toEqual({ kind: "other" });
  expect(what('chdir("\\x2f")                = -1 ENOENT (No such file or directory)')).toEqual({
    kind: "call",
    name: "chdir",
    args: '"\\x2f"',
    value: -1,
  });
  expect(what("vfork( <unfinished ...>")).toEqual({ kind: "unfinished", name: "vfork", args: "" });
  expect(what("<... vfork resumed>) = 3")).toMatchObject({
    kind: "resumed",
    name: "vfork",
    value: 3,
  });
  expect(what("<... execve resumed>) = ?")).toMatchObject({ kind: "resumed", value: undefined });
  expect(what('execve("\\x61", [], 0x1 <pid changed to 9 ...>')).toMatchObject({
    kind: "unfinished",
  });
});

test.each([
  "",
  "strace: something went wrong",
  "[pid 1] +++ exited with 0 +++",
  "1700000000.000001 +++ exited with 0 +++ or not",
  "1700000000.000001 execve(",
  "1700000000.000001 execve() = x",
  "1700000000.000001 EXECVE() = 0",
])("a line that strace does not write is no line: %s", (line) => {
  expect(parseTraceLine(line)).toBe(undefined);
});

test("arguments are read back as they were, whatever is in them", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 }).filter((one) => !one.includes("\0"));
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 5 }), (file, argv) => {
      const list = `${hex(file)}, [${argv.map(hex).join(", ")}], 0x7ff /* 3 vars */`;
      expect(startedBy(list)).toEqual({ file, argv });
      const line = parseTraceLine(`[pid 7] 1.000000 execve(${list}) = 0`);
      expect(line?.what).toEqual({ kind: "call", name: "execve", args: list, value: 0 });
    }),
  );
});

test("what strace cut looks cut, and what it does not write is not read", () => {
  expect(startedBy(`${hex("/a")}..., [${hex("a")}..., ...], 0x1`)).toEqual({
    file: "/a…",
    argv: ["a…", "…"],
  });
  expect(startedBy(`${hex("/a")}, NULL, NULL`)).toEqual({ file: "/a", argv: ["/a"] });
  expect(startedBy(`${hex("/a")}, [${hex("b")}, ... /* 0x7ffe */], 0x1`)?.argv).toEqual(["b", "…"]);
  expect(startedAt(`3<\\x2f\\x75>, ${hex("x")}, [${hex("y")}], NULL, 0`)?.file).toBe("/u/x");
  expect(startedAt(`3<\\x2f\\x75>, ${hex("")}, [${hex("y")}], NULL, AT_EMPTY_PATH`)?.file).toBe(
    "/u",
  );
  expect(folderOf("5<\\x2f\\x75>")).toBe("/u");
  for (const wrong of ["", '"a"', '"\\x61", [', '"\\x61", ["\\x62" "\\x63"], 0x1', "0x1, []"]) {
    expect(startedBy(wrong)).toBe(undefined);
  }
});

test("no text makes it fail, and every text that is no line is a gap or nothing", () => {
  const piece = fc.constantFrom(
    ...[
      "[pid 7] ",
      "1.000000 ",
      "execve(",
      hex("/x"),
      ", ",
      "[",
      "]",
      ") = 0",
      " <unfinished ...>",
    ],
    ...[
      "<... execve resumed>",
      "+++ exited with 0 +++",
      "+++ superseded by execve in pid 8 +++",
      "fork() = 9",
    ],
  );
  fc.assert(
    fc.property(fc.array(fc.array(piece, { maxLength: 8 }), { maxLength: 12 }), (lines) => {
      const table = new ProcessTable({ launcher: "/x", cwd: "/" });
      for (const line of lines) {
        const parsed = parseTraceLine(line.join(""));
        if (parsed !== undefined) table.take(parsed);
      }
      expect([...table.close()].every((gap) => gap !== "")).toBe(true);
    }),
  );
});

test("births are lined up by age, also when the host's numbers start anew; doubt is said", () => {
  const pairs = (pids: number[], inner: number[]) => {
    const matched = matchBirths(pids, inner);
    return matched && Object.fromEntries([...matched].map(([b, p]) => [inner[b], pids[p]]));
  };
  expect(pairs([100, 103, 101], [3, 2, 4])).toEqual({ 2: 100, 3: 101, 4: 103 });
  expect(pairs([32_760, 300, 32_767, 301], [2, 3, 4, 5])).toEqual({
    2: 32_760,
    3: 32_767,
    4: 300,
    5: 301,
  });
  expect(pairs([100, 101], [2])).toBe(undefined);
  expect(pairs([100, 101], [2, 2])).toBe(undefined);
  expect(pairs([100], [20_000])).toBe(undefined);
});

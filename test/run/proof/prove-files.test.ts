import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ProofWorld } from "./proof-world.ts";

const saying = (words: string) => expect.stringContaining(words) as string;

describe("file", () => {
  test("a file that the work left is there, and one that it took away is not", async () => {
    const world = await ProofWorld.of({ "a.txt": "a\n" }, { "a.txt": null, "src/b.txt": "b\n" });
    const verdicts = await Promise.all(
      (
        [
          ["src/b.txt", true],
          ["src/b.txt", false],
          ["a.txt", true],
          ["a.txt", false],
          ["src", true],
          ["src", false],
        ] as const
      ).map(
        async ([path, present]) => (await world.prove({ kind: "file", path, present })).verdict,
      ),
    );
    expect(verdicts).toEqual(["pass", "fail", "fail", "pass", "fail", "fail"]);
  });

  test("a link is no file, whatever it points at, and is there all the same", async () => {
    const world = new ProofWorld();
    const before = world.project.commit({ "a.txt": "a\n" });
    symlinkSync("a.txt", join(world.project.path, "b.txt"));
    const after = world.project.commit();
    const repository = await world.project.open();
    const made = await ProofWorld.of({ "x.txt": "x\n" }, {});
    const scene = { repository, before, after };
    const there = await made.prove({ kind: "file", path: "b.txt", present: true }, scene);
    expect(there).toMatchObject({ verdict: "fail", reason: saying("found a link") });
    const gone = await made.prove({ kind: "file", path: "b.txt", present: false }, scene);
    expect(gone.verdict).toBe("fail");
    const read = await made.prove(
      { kind: "pattern", path: "b.txt", pattern: "a", present: true },
      scene,
    );
    expect(read).toMatchObject({ verdict: "unproven", reason: saying("no file") });
  });
});

describe("pattern", () => {
  test("it is held against each line of the file as the commit has it", async () => {
    const world = await ProofWorld.of({}, { "a.txt": "one\r\ntwo\nthree\n" });
    const about = { kind: "pattern", path: "a.txt" };
    const found = await world.prove({ ...about, pattern: "^two$", present: true });
    expect(found).toMatchObject({ verdict: "pass", reason: saying("line 2"), output: "two" });
    expect(await world.prove({ ...about, pattern: "^one$", present: true })).toMatchObject({
      verdict: "pass",
    });
    const across = await world.prove({ ...about, pattern: "two\\s+three", present: true });
    expect(across.verdict).toBe("fail");
    const unwanted = await world.prove({ ...about, pattern: "thr", present: false });
    expect(unwanted).toMatchObject({ verdict: "fail", reason: saying("found line 3") });
    expect((await world.prove({ ...about, pattern: "four", present: false })).verdict).toBe("pass");
  });

  test("a file that is not there has no content that could be free of a pattern", async () => {
    const world = await ProofWorld.of({}, { "a.txt": "a\n" });
    const proof = { kind: "pattern", path: "b.txt", pattern: "x", present: false };
    expect(await world.prove(proof)).toMatchObject({ verdict: "fail", reason: saying("b.txt") });
  });

  test("a pattern that could take exponential time is refused, whatever the file holds", async () => {
    const world = await ProofWorld.of({}, { "a.txt": "short\n" });
    const proof = { kind: "pattern", path: "a.txt", pattern: "^(a+)+$", present: true };
    expect(await world.prove(proof)).toMatchObject({
      verdict: "unproven",
      reason: saying("exponential"),
    });
    const broken = await world.prove({ ...proof, pattern: "(" });
    expect(broken).toMatchObject({ verdict: "unproven", reason: saying("no regular expression") });
  });
});

describe("json", () => {
  const FILE = { "a.json": '{"a/b":{"~":[1,{"x":null}]},"n":1.0,"o":{"b":1,"a":2}}' };

  test("one place of the document has exactly this value", async () => {
    const world = await ProofWorld.of({}, FILE);
    const verdict = async (pointer: string, equals: unknown) =>
      (await world.prove({ kind: "json", path: "a.json", pointer, equals })).verdict;
    expect(await verdict("/a~1b/~0/1/x", null)).toBe("pass");
    expect(await verdict("/a~1b/~0/0", 1)).toBe("pass");
    expect(await verdict("/a~1b/~0/0", "1")).toBe("fail");
    expect(await verdict("/a~1b/~0/00", 1)).toBe("fail");
    expect(await verdict("/a~1b/~0/", 1)).toBe("fail");
    expect(await verdict("/n", 1)).toBe("pass");
    expect(await verdict("/o", { a: 2, b: 1 })).toBe("pass");
    expect(await verdict("/o", { a: 2 })).toBe("fail");
  });

  test("a place that is not there has no value, not even null", async () => {
    const world = await ProofWorld.of({}, FILE);
    for (const pointer of ["/x", "/a~1b/~0/01", "/a~1b/~0/-", "/a~1b/~0/2", "/toString", "/n/x"]) {
      const outcome = await world.prove({ kind: "json", path: "a.json", pointer, equals: null });
      expect([pointer, outcome.verdict]).toEqual([pointer, "fail"]);
    }
  });

  test("what two readers could take differently is no JSON", async () => {
    const world = await ProofWorld.of({}, { "a.json": '{"a":1,"a":2}', "b.json": "{a:1}" });
    const proof = { kind: "json", pointer: "/a", equals: 1 };
    for (const path of ["a.json", "b.json"]) {
      const outcome = await world.prove({ ...proof, path });
      expect(outcome).toMatchObject({ verdict: "fail", reason: saying("not strict JSON") });
    }
    const missing = await world.prove({ ...proof, path: "c.json" });
    expect(missing).toMatchObject({ verdict: "fail", reason: saying("no such file") });
  });
});

describe("sections", () => {
  const TEXT =
    "Title\n=====\n\n## Install `it`\n\n```\n## Usage\n```\n\n> ## Usage\n\n## Limits\n\n### More\n";

  test("headings come in their order, whatever stands between them", async () => {
    const world = await ProofWorld.of({}, { "a.md": TEXT });
    const prove = (...headings: string[]) =>
      world.prove({ kind: "sections", path: "a.md", headings });
    expect((await prove("Title", "Install it", "Limits")).verdict).toBe("pass");
    expect((await prove("# title", "### More")).verdict).toBe("pass");
    expect((await prove("Limits", "Install it")).verdict).toBe("fail");
    expect((await prove("# Limits")).verdict).toBe("fail");
    expect((await prove("Limits", "Limits")).verdict).toBe("fail");
  });

  test("a heading in a fence or a quotation is no section", async () => {
    const world = await ProofWorld.of({}, { "a.md": TEXT });
    const outcome = await world.prove({ kind: "sections", path: "a.md", headings: ["Usage"] });
    expect(outcome).toMatchObject({ verdict: "fail", reason: saying('"Usage"') });
  });
});

describe("diff", () => {
  const world = () =>
    ProofWorld.of(
      { "a.txt": "keep\nold\nkeep too\n", "b.txt": "moved\n" },
      { "a.txt": "keep\nnew\nkeep too\n", "b.txt": null, "c.txt": "moved\n" },
    );

  test("only lines that one side has count", async () => {
    const { verdict, verdicts } = await asking(await world());
    expect(await verdict("new")).toBe("pass");
    expect(await verdict("keep")).toBe("fail");
    expect(await verdict("old")).toBe("fail");
    expect(await verdicts({ contains: "old", side: "removed" })).toBe("pass");
    expect(await verdicts({ contains: "new", side: "removed" })).toBe("fail");
  });

  test("a file that was only renamed adds nothing, and a named file is the only one", async () => {
    const { verdict, verdicts } = await asking(await world());
    expect(await verdict("moved")).toBe("fail");
    expect(await verdicts({ contains: "new", path: "a.txt" })).toBe("pass");
    expect(await verdicts({ contains: "new", path: "c.txt" })).toBe("fail");
  });

  async function asking(made: ProofWorld) {
    const verdicts = async (proof: object) =>
      (await made.prove({ kind: "diff", ...proof })).verdict;
    return { verdicts, verdict: (contains: string) => verdicts({ contains }) };
  }
});

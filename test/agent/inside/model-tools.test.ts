import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { useTool } from "../../../src/agent/inside/model-tools.ts";
import { pathInTree } from "../../../src/agent/inside/tree-path.ts";

function scene() {
  const base = mkdtempSync(join(tmpdir(), "sworn-tools-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const tree = join(base, "tree");
  mkdirSync(join(tree, "src"), { recursive: true });
  writeFileSync(join(base, "secret.txt"), "the secret\n");
  writeFileSync(join(tree, "src/a.ts"), "one\ntwo needle\nthree\n");
  const use = (name: string, input: Record<string, unknown>) =>
    useTool(tree, { id: "c", name, input });
  return { base, tree, use };
}

describe("paths", () => {
  test.each(["../secret.txt", "src/../../secret.txt", "/etc/hostname", "", "a\0b"])(
    "%j is not in the tree",
    async (path) => {
      const { base, use } = scene();
      expect(await use("read_file", { path })).toMatchObject({ failed: true });
      expect(await use("write_file", { path, content: "x" })).toMatchObject({ failed: true });
      expect(await use("search", { path: path || "..", text: "secret" })).toMatchObject({
        failed: true,
      });
      expect(readFileSync(join(base, "secret.txt"), "utf8")).toBe("the secret\n");
    },
  );

  test("a link that leads out is not followed, as a file, as a folder, or to what is not there", async () => {
    const { base, tree, use } = scene();
    symlinkSync(join(base, "secret.txt"), join(tree, "link.txt"));
    symlinkSync(base, join(tree, "out"));
    symlinkSync(join(base, "new.txt"), join(tree, "dangling"));
    symlinkSync("loop", join(tree, "loop"));
    for (const path of ["link.txt", "out/secret.txt", "out/new.txt", "dangling", "loop"]) {
      const read = await use("read_file", { path });
      expect([path, read.failed, read.text.includes("the secret")]).toEqual([path, true, false]);
      expect(await use("write_file", { path, content: "x" })).toMatchObject({ failed: true });
    }
    expect(readFileSync(join(base, "secret.txt"), "utf8")).toBe("the secret\n");
    expect(existsSync(join(base, "new.txt"))).toBe(false);
    expect(() => pathInTree(tree, "dangling")).toThrow("cannot be followed to its end");
    expect((await use("search", { text: "the secret" })).text).toBe("Nothing was found.");
  });

  test("links within the tree, and its absolute path, are its own", async () => {
    const { base, tree, use } = scene();
    symlinkSync("src/a.ts", join(tree, "same.ts"));
    expect(await use("read_file", { path: "same.ts" })).toMatchObject({ failed: false });
    expect(await use("read_file", { path: join(tree, "src/a.ts") })).toMatchObject({
      failed: false,
    });
    symlinkSync(tree, join(base, "alias"));
    const call = { id: "c", name: "read_file", input: { path: join(base, "alias/src/a.ts") } };
    expect(await useTool(join(base, "alias"), call)).toMatchObject({ failed: false });
  });
});

test("a part of a file is read by its lines; folders, pipes and bytes are told", async () => {
  const { tree, use } = scene();
  const { text } = await use("read_file", { path: "src/a.ts", from_line: 2, lines: 1 });
  expect(text).toContain("lines 2 to 2 of 4 of a file");
  expect(text).toContain("| two needle\n```");
  execFileSync("mkfifo", [join(tree, "pipe")]);
  writeFileSync(join(tree, "bytes"), Buffer.from([65, 0, 66]));
  for (const path of ["src", "pipe", "bytes", "nowhere"]) {
    expect(await use("read_file", { path })).toMatchObject({ failed: true });
  }
  expect(await use("write_file", { path: "pipe", content: "x" })).toMatchObject({ failed: true });
});

test("what is long is cut, and that is said", async () => {
  const { tree, use } = scene();
  writeFileSync(join(tree, "long"), "x".repeat(70_000));
  const { text } = await use("read_file", { path: "long" });
  expect(text.length).toBeLessThan(66_000);
  expect(text).toContain("the last 4464 characters are cut");
});

test("a search shows where a text stands, as many as can be read", async () => {
  const { tree, use } = scene();
  expect((await use("search", { text: "needle" })).text).toContain("| src/a.ts:2: two needle");
  expect((await use("search", { text: "(a+)+$" })).text).toBe("Nothing was found.");
  mkdirSync(join(tree, "node_modules"));
  writeFileSync(join(tree, "node_modules/b"), "needle");
  writeFileSync(join(tree, "many"), "needle\n".repeat(300));
  const { text } = await use("search", { text: "needle" });
  expect(text).not.toContain("node_modules");
  expect(text).toContain("only the first 200 are shown");
  expect(text.match(/^\| /gm)?.length).toBe(200);
});

describe("a program", () => {
  test("gets its words as they are, without a shell, in the tree", async () => {
    const { tree, use } = scene();
    const argv = ["node", "-p", "[process.cwd(), process.argv[1]].join()", "$(touch no) ; *"];
    const { text, failed } = await use("run", { argv });
    expect(failed).toBe(false);
    expect(text).toContain(`ended with 0\nData (what it printed)`);
    expect(text).toContain(`| ${tree},$(touch no) ; *`);
    expect(existsSync(join(tree, "no"))).toBe(false);
  });

  test("that fails, is not there, or is no list of words is told as failed", async () => {
    const { use } = scene();
    expect(await use("run", { argv: ["sh", "-c", "echo why >&2; exit 3"] })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/^ended with 3\n[\s\S]*\| why/),
    });
    for (const argv of [["no-such-program"], [], "ls", ["ls", 1], ["a\0b"]]) {
      expect(await use("run", { argv })).toMatchObject({ failed: true });
    }
  });

  test("that takes too long is stopped with everything it started", async () => {
    const { tree, use } = scene();
    const argv = ["sh", "-c", "sleep 100 & echo $! > child; wait"];
    const { text, failed } = await use("run", { argv, seconds: 1 });
    expect([failed, text.startsWith("stopped: it took too long")]).toEqual([true, true]);
    expect(stateOf(Number(readFileSync(join(tree, "child"), "utf8")))).toMatch(/^(gone|Z|X)$/);
  });

  test("whose output does not end is kept at both ends", async () => {
    const { use } = scene();
    const script = "process.stdout.write('first' + 'x'.repeat(1e6) + 'last')";
    const { text } = await use("run", { argv: ["node", "-e", script] });
    expect(text).toContain("| first");
    expect(text).toMatch(/\(\d+ bytes are left out here\)/);
    expect(text).toContain("xlast\n");
    expect(text.length).toBeLessThan(40_000);
  });

  test("that leaves a process with its pipes behind is not waited for", async () => {
    const { tree, use } = scene();
    const left = "echo $$ > pid; exec sleep 60";
    const wait = "while [ ! -s pid ]; do :; done; echo begun";
    const began = Date.now();
    const { text } = await use("run", { argv: ["sh", "-c", `setsid sh -c '${left}' & ${wait}`] });
    process.kill(Number(readFileSync(join(tree, "pid"), "utf8")), "SIGKILL");
    expect(text).toContain("| begun");
    expect(Date.now() - began).toBeLessThan(20_000);
  });
});

/** What the kernel says of a process; one that waits for somebody to take note of its end is over. */
function stateOf(pid: number): string {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "?";
  } catch {
    return "gone";
  }
}

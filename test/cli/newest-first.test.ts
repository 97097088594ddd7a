import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newestFirst } from "../../src/cli/newest-first.ts";
import { isInnerTask } from "../../src/flow/trace/inner-traces.ts";
import { isOfWork } from "../../src/flow/work/do-work.ts";
import { opening } from "../fake/sandbox.ts";
import { Shell } from "./shell.ts";

const INNER = `work-${"0".repeat(26)}-st-01`;

test("a list has the newest first, twenty of them, and says how many are left", () => {
  const all = Array.from({ length: 23 }, (_, index) => index);
  const { shown, more } = newestFirst(all, { all: false });
  expect([shown[0], shown.length, more]).toEqual([22, 20, "\nand 3 more; --all shows them"]);
  expect(newestFirst(all, { all: true })).toEqual({ shown: all.toReversed(), more: "" });
  const outer = newestFirst(all, { all: false, isInner: (one) => one > 4 });
  expect([outer.shown, outer.more]).toEqual([[4, 3, 2, 1, 0], "\nand 18 more; --all shows them"]);
});

test("what is filed under a work is known by its name, as the work itself knows it", () => {
  expect([isInnerTask(INNER), isOfWork(INNER), isInnerTask("work-gates")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isInnerTask("login"), isOfWork("login")]).toEqual([false, false]);
});

test("traces are listed with the newest first; those within a work with --all, and always as JSON", async () => {
  const shell = new Shell();
  shell.script("s.jsonl", opening());
  const traces: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { trace } = (await shell.run("trace", "record", "s.jsonl", "--json")).json<{
      trace: string;
    }>();
    traces.push(trace);
  }
  const listed = (text: string) => text.match(/trace_\w{26}/g);
  expect(listed((await shell.run("trace", "ls")).out)).toEqual(traces.toReversed());
  const talk = join(shell.cwd, ".sworn", "tasks", INNER);
  mkdirSync(talk, { recursive: true });
  writeFileSync(join(talk, "trace"), `${traces[1]}\n`);
  const { out } = await shell.run("trace", "ls");
  expect(listed(out)).toEqual([traces[2], traces[0]]);
  expect(out).toContain("and 1 more; --all shows them");
  expect(listed((await shell.run("trace", "ls", "--all")).out)).toEqual(traces.toReversed());
  const { traces: whole } = (await shell.run("trace", "ls", "--json")).json<{
    traces: { trace: string }[];
  }>();
  expect(whole.map(({ trace }) => trace)).toEqual(traces);
});

test("what somebody new reads leads on", async () => {
  const shell = new Shell();
  expect((await shell.run("trace", "show", "latest")).err).toMatch(
    /there is no trace in \S+ yet; "sworn review" makes one/,
  );
  expect((await shell.run("init")).out).toMatch(/Next: "sworn review"/);
  const own = (await shell.run("trace", "ls", "--help")).out;
  expect(await shell.run("help", "trace", "ls")).toMatchObject({ exit: 0, out: own });
  expect((await shell.run("help", "review")).out).toContain("Example: sworn review");
  expect((await shell.run("help")).out).toContain("sworn");
  const wrong = await shell.run("trace", "ls", "--al");
  expect(wrong.err).toContain('did you mean --all? See "sworn trace ls --help"');
});

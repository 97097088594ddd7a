import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { opening } from "../fake/sandbox.ts";
import { abort, message, proposal, review } from "../flow/requests.ts";
import { Shell } from "./shell.ts";

test("after a refusal the next command is spelled out, and it works", async () => {
  const shell = new Shell();
  shell.script("f.jsonl", opening(), proposal("p1"), review("p9"), message("after"));
  const { exit, out } = await shell.run("trace", "record", "f.jsonl");
  expect(exit).toBe(3);
  const trace = /trace_\w{26}/.exec(out)?.[0];
  expect(out).toContain("The 2 lines before it are recorded");
  expect(out).toContain(
    `Fix line 3, then go on with: tail -n +3 f.jsonl | sworn trace record - --trace ${trace}\n`,
  );
  const line = /echo '(.+)' \| sworn trace record - --trace (\S+)/.exec(out);
  expect(line?.[2]).toBe(trace);
  async function* input() {
    yield Buffer.from(`${line?.[1]}\n`);
  }
  const ended = await shell.runWith({ input }, "trace", "record", "-", "--trace", trace ?? "");
  expect(ended.exit).toBe(0);
  expect((await shell.run("trace", "ls", "--json")).json()).toMatchObject({
    traces: [{ state: "aborted" }],
  });
});

test("the next command names folders of artifacts, and quotes what a shell would split", async () => {
  const shell = new Shell();
  mkdirSync(join(shell.cwd, "my scripts"));
  shell.script("my scripts/f.jsonl", opening(), review("p9"));
  const { out } = await shell.run(
    ...["trace", "record", "my scripts/f.jsonl", "--artifacts-from", "files"],
  );
  expect(out).toContain("The 1 line before it is recorded");
  expect(out).toContain("tail -n +2 'my scripts/f.jsonl' | sworn trace record - --trace trace_");
  expect(out).toContain(" --artifacts-from 'my scripts' --artifacts-from files\n");
});

test("a refused first line, and one after the end, promise no way on", async () => {
  const shell = new Shell();
  shell.script("first.jsonl", message("too early"));
  const first = await shell.run("trace", "record", "first.jsonl");
  expect(first.out).toContain("Nothing was recorded.\nFix line 1, then run it again.");
  expect(first.err).toBe("");
  shell.script("over.jsonl", opening(), abort(), message("too late"));
  const over = await shell.run("trace", "record", "over.jsonl");
  expect(over.exit).toBe(3);
  expect(over.out).toContain("The session has ended: nothing can follow in it.");
  expect(over.out).not.toContain("--trace");
});

test("an agent without a key is told how to get one", async () => {
  const shell = new Shell();
  await shell.run("trace", "record", shell.script("one.jsonl", opening()));
  await shell.run("keys", "revoke", "ada", "--reason", "lost");
  shell.script("two.jsonl", proposal("p1"));
  const refused = await shell.run("trace", "record", "two.jsonl", "--trace", "latest");
  expect(refused.exit).toBe(3);
  expect(refused.out).toContain("Give ada a new key with: sworn keys rotate ada\n");
  await shell.run("keys", "rotate", "ada");
  expect((await shell.run("trace", "record", "two.jsonl", "--trace", "latest")).exit).toBe(0);
});

test("a person sees no acknowledgements, a program does; nouns fit their number", async () => {
  const shell = new Shell();
  shell.script("s.jsonl", opening());
  const person = await shell.runWith({ isTerminal: true }, "trace", "record", "s.jsonl");
  expect(person.err).toBe("");
  expect(person.out).toMatch(/^Recorded 1 line in trace_\w+ \(1 entry, head /);
  expect((await shell.run("trace", "record", "s.jsonl")).err).toBe("recorded 1\n");
});

import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SWORN, start } from "../fake/child.ts";
import { Shell } from "./shell.ts";

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
/** A command line of words without spaces, about one task. */
const run = (line: string, ...more: string[]) =>
  shell.run(...line.split(" "), ...more, "--task", "login");

test("what is posted is read, as words and as JSON, and what follows a message", async () => {
  expect(await run("bus post Hello")).toMatchObject({
    exit: 0,
    out: "Said MSG-1 on the bus of login.\n",
  });
  expect((await shell.run("bus", "post", "x", "--task", "logn")).out).toContain(
    "Nobody had spoken of logn before; did you mean login?",
  );
  await run("bus post --parent MSG-1:answers --kind info --meta phase=work", "two\nlines");
  const read = await run("bus read --since MSG-1");
  expect(read.out).toMatch(/^MSG-2 {2}\S+ {2}operator \(operator\) {2}INFO {2}\(answers MSG-1\)\n/);
  expect(read.out).toContain("\n    two\n    lines\n");
  const { messages } = (await run("bus read --json")).json<{ messages: object[] }>();
  expect(messages).toMatchObject([
    { id: "MSG-1", kind: "USER", text: "Hello" },
    { id: "MSG-2", meta: { phase: "work" }, parents: [{ id: "MSG-1", kind: "answers" }] },
  ]);
  expect((await shell.run("bus", "ls", "--json")).json()).toMatchObject({
    buses: [{ task: "login", messages: 2, open_questions: 0 }, { task: "logn" }],
  });
});

test("what is refused ends with 3, what is not there with 2, and nothing is made for it", async () => {
  expect(await shell.run("bus", "read")).toMatchObject({ exit: 2, out: "" });
  expect(existsSync(join(shell.cwd, ".sworn"))).toBe(false);
  await run("bus post Hello");
  expect((await run("bus post x --parent MSG-9 --json")).json()).toEqual({
    refused: {
      rule: "ORDER_GUARD",
      reason: "there is no message MSG-9 on this bus; the nearest is MSG-1",
    },
  });
  expect((await run("bus post x --kind STOP")).exit).toBe(3);
  expect((await run("bus post x --kind shout")).exit).toBe(2);
  expect((await run("bus post")).err).toContain("expected a text or --file, found neither");
  expect((await run("bus read --since MSG-7")).err).toContain("the nearest is MSG-1");
  expect((await shell.run("bus", "read", "--task", "nothing")).exit).toBe(2);
  const follow = ["bus", "read", "--task", "No Task", "--follow"];
  expect((await shell.run(...follow)).exit).toBe(2);
  expect((await run("bus read --project")).err).toContain("found both");
  expect((await shell.run("bus", "post", "x", "--task", "../x")).exit).toBe(2);
});

test("a text comes from a file or from standard input, long ones too", async () => {
  shell.write("note.md", `${"a long line\n".repeat(8_000)}`);
  await run("bus post --file note.md");
  expect((await run("bus read")).out).toContain("the whole text: sworn bus read MSG-1");
  const whole = (await run("bus read MSG-1 --json")).json<{ message: { text: string } }>();
  expect(whole.message.text).toBe("a long line\n".repeat(8_000).trimEnd());
  const input = async function* () {
    yield Buffer.from("from a pipe\n");
  };
  const piped = ["bus", "post", "--file", "-", "--task", "login"];
  expect((await shell.runWith({ input }, ...piped)).exit).toBe(0);
  expect((await run("bus read --since MSG-1")).out).toContain("    from a pipe\n");
});

test("questions, facts, state and board through the commands", async () => {
  const asked = await run("ask Port? --default 8080 --id port --tier 3 --deadline 2h --json");
  expect(asked.json()).toMatchObject({ question_id: "port", id: "MSG-1" });
  expect((await run("answer")).out).toContain("port");
  expect((await run("answer prt 443")).err).toContain("did you mean port?");
  expect((await run("answer port 443")).exit).toBe(0);
  expect((await run("answer")).out).toBe("no open questions\n");
  expect((await run("fact add 443 --title Port --json")).json()).toMatchObject({ fact_id: "port" });
  expect((await run("fact ls")).out).toContain("Port");
  expect((await run("fact promote --json")).json()).toMatchObject({ promoted: ["login.port"] });
  expect((await run("fact promote port")).out).toContain("login.port");
  const past = await run("ask Host? --default here --id host --deadline 2020-01-01T00:00:00Z");
  expect([past.exit, past.err]).toEqual([
    2,
    expect.stringMatching(/the deadline 2020-01-01T00:00:00\.000Z is over: it is 20/),
  ]);
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  await run("ask Host? --default here --id host --deadline 1m");
  vi.setSystemTime(Date.now() + 120_000);
  expect((await run("answer")).out).toContain("(over)");
  expect((await run("board --json")).json()).toMatchObject({
    questions: [{ state: "answered" }, { state: "open" }],
  });
  expect((await run("answer --overdue")).out).toContain("nobody answered host in time");
  const state = await run("state --write --json --note", "Nearly there");
  const { files, note } = state.json<{ files: string[]; note: object }>();
  expect(note).toMatchObject({ text: "Nearly there", by: "operator" });
  expect(files.every((path) => existsSync(path))).toBe(true);
  expect((await run("board --lock --json")).json()).toMatchObject({ lock: { holds: true } });
  await run("bus post changed");
  expect((await run("board")).out).toContain("CHANGED since operator");
});

test.each(["1s", "tomorrow", "0m"])(
  "the deadline %s is refused with what would do",
  async (when) => {
    const { exit, err } = await run(`ask Port? --default 1 --deadline ${when}`);
    expect(exit).toBe(2);
    expect(err).toContain("a time such as 30m or 2h");
  },
);

test("mail through the commands", async () => {
  const sent = await run("mail send Done --to mara --subject Port --json");
  expect(sent.json<{ path: string }>().path).toContain(".sworn/mail/out/");
  expect((await run("mail send Done --to mara --subject Port")).exit).toBe(3);
  shell.write("x.md", "---\nTO: lead\nFROM: eve\nPRIORITY: LOW\nSUBJECT: s\n---\nhi\n");
  expect((await shell.run("mail", "ls", "--box", ".")).out).toContain("eve");
  expect((await run("mail take --box .")).out).toContain("x.md: MSG-2, says it is from eve");
  shell.write("z.txt", "no folder");
  for (const argv of [["ls"], ["take", "--task", "other"]]) {
    for (const box of ["nobox", "z.txt"]) {
      const missing = await shell.run("mail", ...argv, "--box", box);
      expect([missing.exit, missing.out]).toEqual([2, ""]);
      expect(missing.err).toContain(`there is no mailbox ${join(shell.cwd, box)}`);
    }
  }
  expect((await shell.run("bus", "read", "--task", "other")).exit).toBe(2);
  shell.write("y.md", "nonsense");
  expect((await run("mail take --box .")).exit).toBe(3);
});

test("a follower waits for the first word, begins nothing, and can be called off before it", async () => {
  const follow = (task: string) => {
    const controller = new AbortController();
    const heard = { out: "", err: "" };
    const io = {
      signal: controller.signal,
      out: (text: string | Uint8Array) => {
        heard.out += String(text);
      },
      err: (text: string) => {
        heard.err += text;
      },
    };
    const ended = shell.runWith(io, "bus", "read", "--follow", "--task", task);
    return { heard, ended, stop: () => controller.abort() };
  };
  const early = follow("login");
  await vi.waitFor(() => expect(early.heard.err).toContain("nothing was said on the bus of login"));
  expect(existsSync(join(shell.cwd, ".sworn"))).toBe(false);
  await run("bus post first");
  await vi.waitFor(() => expect(early.heard.out).toContain("    first\n"), 10_000);
  early.stop();
  expect((await early.ended).exit).toBe(0);
  const never = follow("logn");
  await vi.waitFor(() => expect(never.heard.err).toContain("waiting; did you mean login?"));
  never.stop();
  expect([(await never.ended).exit, never.heard.out]).toEqual([0, ""]);
  expect((await shell.run("bus", "read", "--task", "logn")).exit).toBe(2);
});

test("a follower in a process of its own hears another process, and Ctrl-C ends it well", async () => {
  await run("bus post first");
  const follower = start(process.execPath, [SWORN, "bus", "read", "--task", "login", "--follow"], {
    cwd: shell.cwd,
    env: { ...shell.env, HOME: shell.folder },
  });
  await follower.said("first");
  await run("bus post second");
  await follower.said("second");
  follower.process.kill("SIGINT");
  const { code, out, err } = await follower.ended;
  expect(err).toBe("");
  expect(out).toMatch(/MSG-1[\s\S]+ {4}first\nMSG-2[\s\S]+ {4}second\n$/);
  expect(code).toBe(0);
});

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { insideMain } from "../../src/inside/inside-main.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { type Call, listening, socketOf } from "../flow/tooling/stage.ts";
import { verifies } from "../verifies.ts";

const SRC = resolve(import.meta.dirname, "../../src");

/** One command line inside a run whose runtime answers with what it is given. */
async function inside(
  argv: string[],
  answer: object = { id: "MSG-1", task: "task-1" },
  socketPath?: string,
  piped?: string,
) {
  const calls: Call[] = [];
  const functions = listening(calls, async () => answer);
  const { socket } = await socketOf({ functions });
  let [out, err] = ["", ""];
  const exit = await insideMain(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    input: piped === undefined ? new PassThrough() : new PassThrough().end(piped),
    output: new PassThrough(),
    signal: AbortSignal.abort(),
    socket: socketPath ?? socket.path,
  });
  return { exit, out, err, calls: calls.map(({ verb, args }) => ({ verb, args })) };
}

test("a hook that comes with the work tree holds nobody up in a run", async () => {
  expect(await inside(["hook", "run", "claude"])).toEqual({ exit: 0, out: "", err: "", calls: [] });
});

test("a message is posted with its kind, its parents and its text", async () => {
  const argv = [
    "bus",
    "post",
    "--kind",
    "REVIEW",
    "--parent",
    "MSG-3:answers",
    "--parent",
    "MSG-4",
  ];
  const { exit, out, calls } = await inside([...argv, "looks", "good"]);
  expect([exit, out]).toEqual([0, "Said MSG-1 on the bus of task-1.\n"]);
  expect(calls).toMatchObject([
    {
      verb: "bus.post",
      args: {
        text: "looks good",
        kind: "REVIEW",
        parents: [
          { id: "MSG-3", kind: "answers" },
          { id: "MSG-4", kind: "reply" },
        ],
      },
    },
  ]);
});

test("with --json the answer alone is on stdout", async () => {
  const answer = { id: "MSG-1", task: null };
  const { out, err } = await inside(["bus", "post", "--json", "--project", "hello"], answer);
  expect([JSON.parse(out), err]).toEqual([answer, "Said MSG-1 on the project's bus.\n"]);
});

test("messages are read to the end, and cannot steer the terminal", async () => {
  const message = {
    ...{ id: "MSG-1", at: "2026-01-01T00:00:00.000Z", agent: "lead", role: "planner" },
    ...{ kind: "INFO", text: "\u001b[2Jgone", parents: [] },
  };
  const page = { messages: [message], more: false, task: "task-1" };
  const { out } = await inside(["bus", "read"], page);
  expect(out).toContain("MSG-1  2026-01-01T00:00:00.000Z  lead (planner)  INFO\n");
  expect(out).toContain("    \\u001b[2Jgone");
  const followed = await inside(["bus", "read", "--follow"], page);
  expect(followed.out.match(/gone/g)?.length).toBe(1);
  for (const argv of [
    ["--kind", "fact"],
    ["--last", "0"],
  ]) {
    expect((await inside(["bus", "read", ...argv], page)).out).toBe(
      "nothing new on the bus of task-1\n",
    );
  }
});

test("a question is asked with its default, or its answer looked up", async () => {
  const open = { question: "q1", id: "MSG-2", state: "open", answer: null, by: null };
  const asked = await inside(["ask", "--default", "Both", "Which one?"], open);
  expect([asked.out, asked.calls]).toEqual([
    "Asked q1 (MSG-2).\n",
    [{ verb: "ask", args: { text: "Which one?", default: "Both" } }],
  ]);
  const deadline = "2030-12-31T00:00:00.000Z";
  const late = await inside(
    ["ask", "Which?", "--default", "Both", "--deadline", deadline, "--tier", "3", "--to", "lead"],
    open,
  );
  expect(late.out).toBe(`Asked q1 (MSG-2); without an answer by ${deadline}, the default holds.\n`);
  expect(late.calls[0]?.args).toMatchObject({ deadline, tier: 3, to: ["lead"] });
  expect((await inside(["ask", "x", "--default", "y", "--deadline", "soon"], open)).exit).toBe(2);
  const named = await inside(["ask", "Which?", "--default", "Both", "--id", "which"], open);
  expect(named.calls[0]?.args).toEqual({ text: "Which?", default: "Both", id: "which" });
  const high = await inside(["ask", "x", "--default", "y", "--tier", "high"], open);
  expect(high).toMatchObject({ exit: 2, calls: [] });
  expect(high.err).toContain('expected a whole number for --tier, found "high"');
  expect((await inside(["ask", "--question", "q1"], open)).out).toBe("q1 is not answered yet\n");
  const answered = { ...open, state: "answered", answer: "The first", by: "mara" };
  expect((await inside(["ask", "--question", "q1"], answered)).out).toBe("mara: The first\n");
  expect((await inside(["ask", "Which one?"])).exit).toBe(2);
});

test("a question is answered, and with project one on the project's bus", async () => {
  const done = { question: "port", id: "MSG-3", task: "task-1" };
  const { exit, out, calls } = await inside(["answer", "port", "It", "is 443"], done);
  expect([exit, out]).toEqual([0, "Answered port (MSG-3).\n"]);
  expect(calls).toEqual([
    { verb: "answer", args: { question: "port", text: "It is 443", scope: "task" } },
  ]);
  const other = await inside(["answer", "MSG-2", "443", "--project"], done);
  expect(other.calls[0]?.args).toEqual({ question: "MSG-2", text: "443", scope: "project" });
  expect((await inside(["answer"])).err).toContain("expected a question");
  expect((await inside(["answer", "port"])).err).toContain("expected a text or --file");
});

test("a report is sent as text, and judged as it is outside", async () => {
  const report = join(temporaryFolder(), "review.md");
  writeFileSync(report, "the report");
  const finding = {
    ...{ id: "SEC-001", title: "t", file: "a.js", line: 3 },
    ...{ verdict: "HALLUCINATED", reason: "not there" },
  };
  const answer = {
    commit: "a".repeat(40),
    hearing: "whole",
    findings: [finding],
    claims: [],
    unread: [],
  };
  const { exit, out, calls } = await inside(["check", report], answer);
  expect(exit).toBe(4);
  expect(calls).toMatchObject([{ verb: "check", args: { report: "the report" } }]);
  expect(out.split("\n")).toEqual([
    "FINDING  PLACE   VERDICT       WHY",
    "SEC-001  a.js:3  HALLUCINATED  not there",
    "0 confirmed, 0 inaccurate, 1 made up, 0 not checkable, against aaaaaaaaaaaa",
    "",
  ]);
  const piped = await inside(["check", "-"], answer, undefined, "from a pipe");
  expect(piped.calls).toMatchObject([{ verb: "check", args: { report: "from a pipe" } }]);
  expect((await inside(["check", "nowhere.md"])).exit).toBe(2);
});

test("every command says how it is used, and gets its request right", async () => {
  const lines: [string[], string, object][] = [
    [["fact", "add", "--title", "T", "x"], "facts.propose", { title: "T", text: "x" }],
    [["state"], "state.read", {}],
    [["context", "summary", "--full"], "context.get", { selectors: ["summary"], scope: "full" }],
    [["delegate", "tester", "go", "on"], "run.delegate", { agent: "tester", prompt: "go on" }],
    [["run", "status", "20260101-0000000000-1"], "run.status", { run_id: "20260101-0000000000-1" }],
    [
      ["vote", "parser", "green", "--why", "fine"],
      "review.vote",
      { artifact: "parser", vote: "green", rationale: "fine" },
    ],
  ];
  for (const [argv, verb, args] of lines) {
    const { calls } = await inside(argv, { markdown: "", state: null, output: null });
    expect(calls, argv.join(" ")).toMatchObject([{ verb, args }]);
    expect((await inside([...argv.slice(0, 2), "--help"])).out).toContain("Example:\n  sworn ");
  }
  const fact = { id: "f1", agent: "lead", at: "2026-01-01", title: "T" };
  expect(
    (await inside(["fact", "ls"], { facts: [fact], suggested: [fact] })).out.split("\n"),
  ).toEqual([
    "FACT  BY    AT          TITLE",
    "f1    lead  2026-01-01  T",
    "f1    lead  2026-01-01  (suggested) T",
    "",
  ]);
});

test("a refusal, wrong words and a run that is over have exit codes of their own", async () => {
  expect(await inside(["bus", "post", "--kind", "STOP", "x"])).toMatchObject({
    exit: 3,
    err: expect.stringContaining("[ROLE_GUARD]"),
  });
  expect(await inside(["bus", "post", "--kind", "NOISE", "x"])).toMatchObject({ exit: 2 });
  expect(await inside(["bus", "post", "--role", "operator", "x"])).toMatchObject({ exit: 2 });
  const over = join(temporaryFolder(), "run.sock");
  expect(await inside(["state"], {}, over)).toMatchObject({
    exit: 1,
    err: expect.stringContaining("the run is over"),
  });
});

test("what is a person's to do is not there inside a run", async () => {
  for (const argv of [["board", "--lock"], ["fact", "promote", "f1"], ["keys", "list"], ["mail"]]) {
    expect(await inside(argv)).toMatchObject({
      exit: 2,
      err: expect.stringContaining("inside a run there is no"),
      calls: [],
    });
  }
});

verifies("003-43", "no error inside a run asks for an environment variable", async () => {
  const failing = [
    ...[["nothing"], ["bus"], ["bus", "post"], ["bus", "post", "--task", "x"], ["ask"], ["check"]],
    ...[["check", "nowhere.md"], ["bus", "post", "--kind", "STOP", "x"], ["delegate"], ["vote"]],
  ];
  const over = join(temporaryFolder(), "run.sock");
  const said = [
    ...(await Promise.all(failing.map((argv) => inside(argv)))),
    await inside(["state"], {}, over),
  ];
  for (const { exit, err } of said) {
    expect(exit).not.toBe(0);
    expect(err).not.toMatch(/environment|variable|\$\{?[A-Z]|\b[A-Z]{2,}_[A-Z_]+=|\bexport\b/);
  }
  for (const folder of ["inside", "flow/tooling", "mcp"]) {
    for (const name of readdirSync(join(SRC, folder)).filter((file) => file.endsWith(".ts"))) {
      const text = readFileSync(join(SRC, folder, name), "utf8");
      expect(text, name).not.toMatch(/process\.env|JRUN_|SWORN_[A-Z]/);
    }
  }
});

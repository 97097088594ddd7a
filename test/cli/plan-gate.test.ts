import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Verimap } from "../../src/schema/plan.ts";
import { aPlan, planWith, subtaskOf } from "../plan/gate/a-plan.ts";
import { Shell } from "./shell.ts";

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
const file = (plan: unknown): string => shell.write("plan.json", JSON.stringify(plan));
const blocked = (): Verimap =>
  planWith((plan) => {
    plan.handoff_ready = false;
    plan.blocking_questions = [
      {
        id: "BQ-01",
        question: "Which limit?",
        context: "c",
        default_assumed: "10",
        blocking: "ST-02",
      },
    ];
  });

test("a ready plan ends with 0, and its arithmetic is shown", async () => {
  const ran = await shell.run("plan", "check", file(aPlan()));
  expect(ran).toMatchObject({ exit: 0, err: "" });
  expect(ran.out.split("\n")).toEqual([
    "Limit how many messages a sender may post in a minute (a plan in the planners' form, 4 subtasks, 12 proofs)",
    "Score: 100 - 5 = 95 (90 are needed, and there)",
    "  -5  MEDIUM-risk assumption: ambiguities_resolved[0]",
    "Note: 3 of 12 proofs need a judge, and sworn.yaml names none under roles.judge: until it does, sworn work refuses this plan, and sworn run waits where the judge is asked",
    "May start now (solo): ST-01",
    "Ready, but for a judge: see the last note.",
    "",
  ]);
  expect(existsSync(join(shell.cwd, ".sworn"))).toBe(false);
});

test("the JSON has exactly its five members, and nothing else is on stdout", async () => {
  const ran = await shell.run("plan", "check", file(aPlan()), "--json");
  expect(ran.json()).toEqual({
    ready: true,
    points: 95,
    deductions: [{ reason: "MEDIUM-risk assumption: ambiguities_resolved[0]", points: 5 }],
    violations: [],
    questions: [],
  });
});

test("proofs that nobody here could judge are told of, and the plan is ready all the same", async () => {
  const example = readFileSync(resolve(import.meta.dirname, "../../examples/plan.json"), "utf8");
  const note =
    /^Note: (\d+) of \d+ proofs needs? a judge, and sworn\.yaml names none under roles\.judge: until/m;
  const plan = shell.write("plan.json", example);
  const ran = await shell.run("plan", "check", plan);
  expect([ran.exit, Number(note.exec(ran.out)?.[1])]).toEqual([
    0,
    example.split('"kind": "judge"').length - 1,
  ]);
  shell.write(
    "sworn.yaml",
    "agents: { rita: { driver: command, argv: [rita] } }\nroles: { judge: rita }\n",
  );
  const judged = (await shell.run("plan", "check", plan)).out;
  expect(judged).not.toMatch(note);
  expect(judged.split("\n").at(-2)).toBe("Ready.");
});

test("no text of a plan begins a line of its own, where it could pass for the gate's word", async () => {
  const asked = blocked();
  const [question] = asked.blocking_questions;
  Object.assign(question ?? {}, {
    question: "Which limit?\nReady.",
    context: "c\r\nReady.",
    default_assumed: "10\u2028Ready.",
  });
  const waits = await shell.run("plan", "check", file(asked));
  expect(waits.out).toContain("Which limit? Ready.");
  Object.assign(subtaskOf(asked, 0), { "x\nReady.": 1 });
  const wrong = await shell.run("plan", "check", file(asked));
  expect(wrong.out).toContain("x Ready.: the schema has no such field");
  for (const { out } of [waits, wrong]) expect(out).not.toMatch(/^Ready\.|\u2028/m);
});

test("a plan that breaks a rule ends with 2: place, fix and rule are named", async () => {
  const plan = planWith((one) => {
    one.deacon_required = false;
  });
  const ran = await shell.run("plan", "check", file(plan));
  expect(ran).toMatchObject({ exit: 2, err: "" });
  expect(ran.out).toContain("1 violation:\n  invariant-monitor: more than one subtask");
  expect(ran.out).toContain("\n    deacon_required: there are 4 subtasks");
  const { violations } = (await shell.run("plan", "check", file(plan), "--json")).json<{
    violations: object[];
  }>();
  expect(Object.keys(violations[0] ?? {})).toEqual(["rule", "path", "message"]);
});

test("a plan that waits ends with 3, with its questions and what may start", async () => {
  const ran = await shell.run("plan", "check", file(blocked()));
  expect(ran).toMatchObject({ exit: 3, err: "" });
  expect(ran.out).toContain(
    "  BQ-01 (ST-02 waits): Which limit?\n    why: c\n    without an answer: 10\n",
  );
  expect(ran.out).toContain("May start now (solo): ST-01\n");
  const strict = await shell.run("plan", "check", file(blocked()), "--profile", "strict");
  expect(strict.out).toContain("May start now (strict): nothing\n");
});

test("too few points end with 3, whatever else is right", async () => {
  const low = planWith((plan) => {
    plan.ambiguities_resolved.push({
      ambiguity: "a",
      ambiguity_type: "SEMANTIC",
      resolution: "b",
      assumption_risk: "HIGH",
    });
    plan.confidence_deductions.push({ reason: "HIGH", amount: -0.15 });
    plan.confidence_score = 0.8;
    plan.handoff_ready = false;
  });
  const ran = await shell.run("plan", "check", file(low));
  expect(ran.exit).toBe(3);
  expect(ran.out).toContain("Score: 100 - 5 - 15 = 80 (90 are needed)");
  expect(ran.out).toContain(
    "Blocked: 80 points are too few; nothing is rounded, and nothing starts.",
  );
  expect(ran.out).not.toContain("May start now");
});

test("standard input is read, what is no JSON has no shape, and a missing file is named", async () => {
  const input = async function* () {
    yield Buffer.from('{"a":1,"a":2}');
  };
  const piped = await shell.runWith({ input }, "plan", "check", "-", "--json");
  expect(piped.json()).toMatchObject({
    ready: false,
    points: 0,
    violations: [{ rule: "shape", path: "" }],
  });
  expect(piped.exit).toBe(2);
  const missing = await shell.run("plan", "check", "plam.json");
  expect(missing).toMatchObject({ exit: 2, out: "" });
  expect(missing.err).toContain("there is no file plam.json");
});

test("for a task its questions are asked, and an answer judges the plan again", async () => {
  await shell.run(
    "fact",
    "add",
    "DESIGN_COMPLETE_WITNESS_REQUIRED",
    "--title",
    "p",
    "--id",
    "design.promise",
    "--task",
    "login",
  );
  expect((await shell.run("plan", "check", file(blocked()), "--task", "login")).exit).toBe(3);
  const answered = await shell.run("answer", "BQ-01", "12", "--task", "login");
  expect(answered.exit).toBe(0);
  expect(answered.out).toMatch(
    /^Answered BQ-01 \(MSG-\d+\)\.\n.*\nReady\.\nNext: sworn work <the plan's file> --task login\n$/s,
  );
  const board = (await shell.run("board", "--task", "login", "--json")).json();
  expect(board).toMatchObject({ handover: { handoff_ready: true }, content_locked: true });
  expect((await shell.run("board", "--task", "login")).out).toMatch(
    /\nplan [0-9a-f]{16}…: ready, content locked\n/,
  );
});

test("a plan is drawn as text, as Mermaid and as a picture that is not written over anything", async () => {
  const plan = file(blocked());
  const ran = await shell.run("plan", "explain", plan, "--svg", "plan.svg");
  expect(ran.out).toContain(
    " *ST-02 CONFIG The limit as a setting  ← ST-01  (waits for an answer)\n",
  );
  expect(ran.out).toContain("Longest chain (*): ST-01 → ST-02 → ST-03\n");
  expect(readFileSync(join(shell.cwd, "plan.svg"), "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
  expect((await shell.run("plan", "explain", plan, "--svg", "plan.svg")).exit).toBe(0);
  shell.write("other.svg", "<svg>mine</svg>");
  expect((await shell.run("plan", "explain", plan, "--svg", "other.svg")).exit).toBe(3);
  expect((await shell.run("plan", "explain", plan, "--mermaid")).out).toMatch(/^flowchart TD\n/);
  expect((await shell.run("plan", "explain", plan, "--json")).json()).toMatchObject({
    layers: [["ST-01"], ["ST-02", "ST-04"], ["ST-03"]],
    critical_path: ["ST-01", "ST-02", "ST-03"],
    may_start: ["ST-01"],
  });
  expect((await shell.run("plan", "explain", file({}))).exit).toBe(2);
});

test("hostile names cannot steer the terminal", async () => {
  const plan = planWith((one) => {
    subtaskOf(one, 0).name = "\u001b[2J\u202egnorw";
    one.verimapped_task = "\u001b]0;title\u0007";
  });
  const ran = await shell.run("plan", "explain", file(plan));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  expect(ran.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test("a deadline that is none is told what one looks like", async () => {
  const given = ["plan", "check", file(aPlan()), "--task", "login", "--deadline", "1s"];
  const { exit, err } = await shell.run(...given);
  expect(exit).toBe(2);
  expect(err).toContain("--deadline: expected a moment in UTC such as 2027-06-30T12:00:00Z, or");
});

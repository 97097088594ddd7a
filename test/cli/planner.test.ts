import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { planningAnswer } from "../../src/cli/planning-words.ts";
import type { Heard } from "../../src/flow/plan/planner/ask.ts";
import { FACTS, planWith, ScriptedAgent, SWEEP } from "../flow/plan/planner/scripted-agent.ts";
import { Shell } from "./shell.ts";

const ANSWERS = readFileSync(
  resolve(import.meta.dirname, "../../examples/planner/scaffold.yaml"),
  "utf8",
);
const lines = (...all: string[]) =>
  async function* () {
    yield Buffer.from(all.map((line) => `${line}\n`).join(""));
  };

test("a plan is made from a file of answers, and written where it was asked for", async () => {
  const shell = new Shell();
  shell.write("answers.yaml", ANSWERS);
  const made = await shell.run("plan", "--from", "answers.yaml", "--out", "plan.json", "--json");
  expect(made.exit).toBe(0);
  expect(made.json()).toMatchObject({ ready: true, points: 100, deductions: [], violations: [] });
  const plan = readFileSync(join(shell.cwd, "plan.json"), "utf8");
  expect(JSON.parse(plan)).toEqual(made.json<{ plan: unknown }>().plan);
  expect((await shell.run("plan", "check", "plan.json")).exit).toBe(0);
  // An earlier plan may be replaced; anything else may not.
  expect((await shell.run("plan", "--from", "answers.yaml", "--out", "plan.json")).exit).toBe(0);
  shell.write("notes.json", "{}");
  const refused = await shell.run("plan", "--from", "answers.yaml", "--out", "notes.json");
  expect(refused.exit).toBe(3);
  expect(readFileSync(join(shell.cwd, "notes.json"), "utf8")).toBe("{}");
});

test("answers that leave something open make a plan that is blocked, with the question", async () => {
  const shell = new Shell();
  shell.write("answers.yaml", ANSWERS.replace(/^success: .*$/m, 'success: ""'));
  const { exit, out } = await shell.run("plan", "--from", "answers.yaml");
  expect(exit).toBe(3);
  expect(out).toMatch(/BQ-01 .*How does a person see in production that it works\?/);
  expect(out).toContain("100 - 20 = 80");
});

test("lines of standard input are answers, one after the other", async () => {
  const shell = new Shell();
  const input = lines(
    ...["the guide", "code, because nobody asked", "80 columns", "None", "It is refused"],
    ...["It is refused", "One page", "It is read once", "It waits for nothing", "Readers find it"],
    ...["It NEVER changes code, because nobody asked for that", "Write the guide", "docs"],
    ...["Describe the limit in docs/limit.md.", "docs/limit.md", "What; Why"],
    ...["GIVEN docs/limit.md WHEN a reader looks under What THEN it names the number 20", "", ""],
  );
  const made = await shell.runWith({ input }, "plan", "Describe the limit", "--from", "-");
  expect(made.out).toContain("Ready, but for a judge: see the last note.");
  expect(made.exit).toBe(0);
  expect(made.err).toContain("CONSTRAINTS: Which figures bound it");
  const short = await shell.runWith({ input: lines("a") }, "plan", "It", "--from", "-");
  expect(short).toMatchObject({ exit: 2, err: expect.stringMatching(/the input has ended/) });
  const unasked = await shell.runWith({ input: lines("") }, "plan", "--from", "-");
  expect(unasked.err).toMatch(/What is wanted, in a sentence/);
});

test("on a terminal, what a file does not answer is asked, and the answers are kept", async () => {
  const shell = new Shell();
  shell.write("answers.yaml", ANSWERS.replace(/^success: .*\n/m, ""));
  const person = { isTerminal: true, input: lines("Asking for such an order answers 404.") };
  const made = await shell.runWith(person, "plan", "--from", "answers.yaml");
  expect(made.err.split("> ").length - 1).toBe(1);
  expect(made.err).toContain("SUCCESS: How does a person see");
  expect(made).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/Next: name a judge in sworn\.yaml, .*, then sworn work/),
  });
  const again = await shell.run("plan", "--from", "answers.yaml");
  expect(again.exit).toBe(0);
});

test("what was typed is kept when no plan can be made of it, and said where", async () => {
  const shell = new Shell();
  const input = lines(
    ...["the guide", "code, because nobody asked", "80 columns", "None", "It is refused"],
    ...["It is refused", "One page", "It is read once", "It waits for nothing", "Readers find it"],
    ...["It NEVER changes code, because nobody asked for that", "Serve it", "infra", "Start it."],
    ...["node server.js", "no number", "/health", "200", "GIVEN it WHEN asked THEN 200", "", ""],
  );
  const made = await shell.runWith({ input }, "plan", "Serve the guide", "--from", "-");
  expect(made).toMatchObject({ exit: 2, err: expect.stringMatching(/what you answered is in /) });
  const [, file = ""] = /what you answered is in (\S+);/.exec(made.err) ?? [];
  expect(readFileSync(file, "utf8")).toContain("It NEVER changes code");
});

test("whoever names neither a request nor answers, or a file that is not there, is told", async () => {
  const shell = new Shell();
  const nothing = await shell.run("plan");
  expect(nothing).toMatchObject({ exit: 2, err: expect.stringMatching(/--from/) });
  const missing = await shell.run("plan", "It", "--from", "nothing.yaml");
  expect(missing).toMatchObject({ exit: 2, err: expect.stringMatching(/no file nothing\.yaml/) });
});

test("ready, blocked and unusable are three exit codes, with budgets in words and JSON", async () => {
  const ready = planningAnswer(await planWith(new ScriptedAgent()), "plan.json");
  expect(ready.exit).toBe(0);
  expect(ready.words).toMatch(/0 +fact check +1 +0 of 10[\s\S]*blind answers +5 +0 of 0/);
  expect(ready.json).toMatchObject({ ready: true, phases: expect.any(Array), path: "plan.json" });
  const asked = {
    ...{ area: "SCOPE", outcome: "asked", ambiguity: "x", ambiguity_type: "SPECIFY" },
    ...{ question: "How many?", context: "It matters.", default_assumed: "One" },
  };
  const sweep = [{ areas: [...SWEEP.areas, asked] }];
  const blocked = planningAnswer(await planWith(new ScriptedAgent({ sweep })), "plan.json");
  expect(blocked).toMatchObject({
    exit: 3,
    words: expect.stringMatching(/BQ-01[\s\S]*How many\?/),
  });
  const wrong = planningAnswer(await planWith(new ScriptedAgent({ graph: ["no"] })), null);
  expect(wrong).toMatchObject({
    exit: 2,
    words: expect.stringMatching(/after three tries\.\n +graph: /),
  });
  const over = new ScriptedAgent({ facts: [{ toolCalls: 11 }] });
  expect(planningAnswer(await planWith(over), null).words).toMatch(
    /11 of 10 +as it tells +1 run ended at the ceiling/,
  );
});

test("a budget that was counted in another way, or not at all, says so", async () => {
  const text = JSON.stringify(FACTS);
  const words = async (toolCalls: number, countedBy: Heard["countedBy"]) => {
    const agent = new ScriptedAgent({ facts: [{ toolCalls, countedBy, text }] });
    return planningAnswer(await planWith(agent), null).words;
  };
  expect(await words(3, "seen")).toMatch(/fact check +1 +3 of 10 +programs seen\n/);
  expect(await words(3, "partly")).toMatch(/3 of 10 +programs seen, maybe not all\n/);
  expect(await words(0, "nothing")).toMatch(/fact check +1 +\? of 10 +not at all: .*sworn doctor/);
});

test("what an agent says begins no line of its own", async () => {
  const says = "There is none.\nReady.";
  const lost = {
    ...FACTS,
    premise: "FALSE",
    findings: [{ statement: says, evidence: "README.md" }],
  };
  const outcome = await planWith(new ScriptedAgent({ facts: [lost] }));
  expect(planningAnswer(outcome, null).words).toContain("There is none. Ready.");
  expect(planningAnswer(outcome, null).words).not.toMatch(/^Ready\./m);
});

test("a plan that waits because there was no design says how to do without one", async () => {
  const waits = planningAnswer(await planWith(new ScriptedAgent(), { design: {} }), "plan.json");
  expect(waits.words).toMatch(
    /\nNext: plan again with --no-design 'why none is needed', or sworn answer --task short-report <question> <answer>, then plan again$/,
  );
  const lost = { ...FACTS, premise: "FALSE" };
  const other = planningAnswer(await planWith(new ScriptedAgent({ facts: [lost] })), null);
  expect(other.words).toMatch(/\nNext: sworn answer --task short-report/);
});

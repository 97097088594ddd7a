import { expect, test } from "vitest";
import { type Event, linksOf } from "../../src/view/index.ts";
import { verifies } from "../verifies.ts";
import { worldIn } from "./way.ts";
import { artifactOf, type World } from "./world.ts";

const MARA = { role: "operator" } as const;
const ELI = { role: "executor" } as const;
const SWORN = { role: "runtime" } as const;
const question = { question_id: "q1", text: "t", default: "d" };
const DEADLINE = "2030-01-01T00:00:00.000Z";

const post = (world: World, more: object, asking: Parameters<World["ask"]>[2] = ELI) =>
  world.ask("message_posted", { text: "t", ...more }, asking)?.rule;

verifies("003-21", "messages that a run began or ended are the runtime's alone", () => {
  const world = worldIn("planning");
  for (const kind of ["START", "STOP", "RUN_START", "RUN_STOP", "RUN_CRASH"]) {
    for (const role of ["planner", "executor", "critic", "auditor", "operator"] as const) {
      expect(post(world, { kind }, { role })).toBe("ROLE_GUARD");
    }
    expect(post(world, { kind }, SWORN)).toBeUndefined();
  }
});

test("a message of kind USER is a person's, all other kinds are anybody's", () => {
  const world = worldIn("planning");
  for (const role of ["planner", "executor", "critic", "auditor", "runtime"] as const) {
    expect(post(world, { kind: "USER" }, { role })).toBe("ROLE_GUARD");
  }
  expect(post(world, { kind: "USER" }, MARA)).toBeUndefined();
  for (const kind of ["FACT", "QUESTION", "ERROR", "ISSUE", "REVIEW", undefined]) {
    expect(post(world, kind === undefined ? {} : { kind })).toBeUndefined();
  }
});

verifies("003-24", "a message names what it answers, and only what was said before it", () => {
  const world = worldIn("planning");
  const parents = (id: string) => ({ parents: [{ id, kind: "reply" }] });
  // Entry 0 opened the session: nothing was said by it.
  expect(post(world, parents("MSG-0"))).toBe("ORDER_GUARD");
  expect(post(world, parents("MSG-1"))).toBe("ORDER_GUARD");
  world.take("message_posted", { text: "first" }, MARA);
  world.take("question_asked", question, ELI);
  expect(post(world, parents("MSG-1"))).toBeUndefined();
  // Its own place is not there yet.
  expect(post(world, parents("MSG-3"))).toBe("ORDER_GUARD");
  const both = {
    text: "t",
    parents: [
      { id: "MSG-2", kind: "answers" },
      { id: "MSG-1", kind: "supersedes" },
    ],
  };
  const event = world.toEvent("message_posted", both, ELI) as Event<"message_posted">;
  expect(linksOf(world.session, event)).toEqual([
    { seq: 2, kind: "answers" },
    { seq: 1, kind: "supersedes" },
  ]);
});

test("an attachment comes with its message", () => {
  const world = worldIn("planning");
  const attachment = artifactOf("long").hash;
  expect(post(world, { attachment })).toBe("EVIDENCE_GUARD");
  expect(post(world, { attachment }, { ...ELI, texts: ["other"] })).toBe("EVIDENCE_GUARD");
  expect(post(world, { attachment }, { ...ELI, texts: ["long"] })).toBeUndefined();
});

test("a question has its own name and one answer", () => {
  const world = worldIn("planning");
  const answer = () =>
    world.ask("question_answered", { question_id: "q1", answer: "a" }, MARA)?.rule;
  expect(answer()).toBe("ORDER_GUARD");
  world.take("question_asked", question, ELI);
  expect(world.ask("question_asked", question, ELI)?.rule).toBe("IDENTITY_GUARD");
  expect(answer()).toBeUndefined();
  world.take("question_answered", { question_id: "q1", answer: "a" }, MARA);
  expect(answer()).toBe("ORDER_GUARD");
});

const answered = (world: World, more: object, asking: Parameters<World["ask"]>[2]) =>
  world.ask("question_answered", { question_id: "q1", answer: "a", ...more }, asking)?.rule;

test("planner, operator and those whom a question is for answer it, nobody else", () => {
  const world = worldIn("planning");
  world.take("question_asked", { ...question, to: ["cleo"] }, ELI);
  expect(answered(world, {}, { role: "planner" })).toBeUndefined();
  expect(answered(world, {}, MARA)).toBeUndefined();
  expect(answered(world, {}, { role: "critic" })).toBeUndefined();
  expect(answered(world, {}, ELI)).toBe("ROLE_GUARD");
  expect(answered(world, {}, { role: "auditor" })).toBe("ROLE_GUARD");
});

test("the runtime takes the default of a question that has a deadline, and gives no other answer", () => {
  const world = worldIn("planning");
  world.take("question_asked", { ...question, deadline: DEADLINE, to: ["sworn"] }, ELI);
  const taken = { answer: "d", by_default: true };
  expect(answered(world, taken, SWORN)).toBeUndefined();
  expect(answered(world, taken, MARA)).toBe("ROLE_GUARD");
  expect(answered(world, { answer: "d" }, SWORN)).toBe("ROLE_GUARD");
  expect(answered(world, { by_default: true }, SWORN)).toBe("ACTION_GUARD");
  const patient = worldIn("planning");
  patient.take("question_asked", question, ELI);
  expect(answered(patient, taken, SWORN)).toBe("ACTION_GUARD");
});

verifies(
  "003-31",
  "facts of a project are for planner and operator, and have one name each",
  () => {
    const world = worldIn("planning");
    const fact = (scope: string) => ({ fact_id: "f1", scope, title: "t", text: "t" });
    const record = (scope: string, asking: Parameters<World["ask"]>[2]) =>
      world.ask("fact_recorded", fact(scope), asking)?.rule;
    for (const role of ["executor", "critic", "auditor", "runtime"] as const) {
      expect(record("project", { role })).toBe("ROLE_GUARD");
      expect(record("task", { role })).toBeUndefined();
    }
    expect(record("project", { role: "planner" })).toBeUndefined();
    expect(record("project", MARA)).toBeUndefined();
    world.take("fact_recorded", fact("task"), ELI);
    expect(record("project", MARA)).toBe("IDENTITY_GUARD");
  },
);

import { expect, test } from "vitest";
import {
  BODIES,
  Entry,
  EVENT_TYPES,
  EventRequest,
  type EventType,
  Proof,
  VerificationReport,
} from "../../src/schema/index.ts";
import { opening } from "../fake/sandbox.ts";
import { claim, message, proposal } from "../flow/requests.ts";
import { Stage } from "../flow/stage.ts";

const accepts = (value: unknown): boolean => EventRequest.safeParse(value).success;

test("there are 38 kinds of event", () => {
  expect(EVENT_TYPES).toHaveLength(38);
  expect(new Set(EVENT_TYPES).size).toBe(38);
});

test("a field nobody knows is refused, wherever it stands", () => {
  const request = proposal("p1");
  const { body, actor } = request as { body: { units: object[] }; actor: object };
  expect(accepts(request)).toBe(true);
  expect(accepts({ ...request, extra: 1 })).toBe(false);
  expect(accepts({ ...request, actor: { ...actor, extra: 1 } })).toBe(false);
  expect(accepts({ ...request, body: { ...body, extra: 1 } })).toBe(false);
  const units = body.units.map((unit) => ({ ...unit, extra: 1 }));
  expect(accepts({ ...request, body: { ...body, units } })).toBe(false);
  expect(accepts({ ...request, artifacts: [{ text: "t", extra: 1 }] })).toBe(false);
});

test("what only the runtime knows cannot be brought along", () => {
  const request = message("t");
  for (const field of ["seq", "prev", "sig", "at", "hlc", "parents", "trace", "v"])
    expect(accepts({ ...request, [field]: 1 })).toBe(false);
  const verdict = { verification_id: "v1", status: "pass" };
  const end = { actor: { agent: "otto", role: "auditor" }, type: "verification_run_completed" };
  expect(accepts({ ...end, body: verdict })).toBe(true);
  for (const field of ["report", "size", "head"])
    expect(accepts({ ...end, body: { ...verdict, [field]: "0".repeat(64) } })).toBe(false);
});

test.each([
  ["a name with capitals", "Ada"],
  ["an empty name", ""],
  ["a name with a slash", "a/b"],
  ["a name that begins with a dot", ".a"],
  ["a name that is too long", "a".repeat(65)],
  ["a name with a line break", "a\n"],
])("%s is refused", (_, name) => {
  expect(accepts({ ...message("t"), actor: { agent: name, role: "operator" } })).toBe(false);
});

test("texts are bounded and well formed", () => {
  const say = (text: string) => accepts({ ...message("t"), body: { text } });
  expect(say("x".repeat(65_536))).toBe(true);
  expect(say("x".repeat(65_537))).toBe(false);
  expect(say("")).toBe(false);
  expect(say("\ud800")).toBe(false);
  expect(say("😀")).toBe(true);
});

test("an unknown role, type, risk or profile is refused", () => {
  expect(accepts({ ...message("t"), actor: { agent: "ada", role: "king" } })).toBe(false);
  expect(accepts({ ...message("t"), type: "message_shouted" })).toBe(false);
  expect(accepts({ ...opening(), body: { ...opening().body, profile: "loose" } })).toBe(false);
  const { body } = claim("c1");
  expect(accepts({ ...claim("c1"), body: { ...body, confidence: -1 } })).toBe(false);
});

test("policies stay within their bounds", () => {
  const set = (policy: object) => accepts({ ...opening(), body: { ...opening().body, policy } });
  expect(set({ evidence_min: 2, attempts_max: 1, rework_max: 0, fallback: false })).toBe(true);
  for (const wrong of [
    { evidence_min: 0 },
    { evidence_min: 1.5 },
    { attempts_max: 0 },
    { attempts_max: 21 },
    { rework_max: -1 },
    { approval_from: "none" },
    { tool_risk: { edit: "none" } },
    { unknown: 1 },
  ]) {
    expect(set(wrong)).toBe(false);
  }
});

test("what is recorded is an entry of this version, and of no other", async () => {
  const stage = await Stage.at("completed");
  for (const entry of stage.entries()) {
    expect(Entry.safeParse(entry).success).toBe(true);
    expect(Entry.safeParse({ ...entry, v: 2 }).success).toBe(false);
    expect(Entry.safeParse({ ...entry, extra: 1 }).success).toBe(false);
    expect(Entry.safeParse({ ...entry, sig: entry.sig.slice(1) }).success).toBe(false);
    expect(Entry.safeParse({ ...entry, trace: "trace_x" }).success).toBe(false);
    expect(Entry.safeParse({ ...entry, at: "2024-01-01" }).success).toBe(false);
    const { body: _, ...bodiless } = entry;
    expect(Entry.safeParse(bodiless).success).toBe(false);
  }
  const seen = new Set<EventType>(stage.entries().map(({ type }) => type));
  for (const type of seen) expect(Object.keys(BODIES)).toContain(type);
});

test("a report and a proof are strict shapes too", async () => {
  const report = await (await Stage.at("completed")).verify();
  expect(VerificationReport.safeParse(report).success).toBe(true);
  expect(VerificationReport.safeParse({ ...report, took: 3 }).success).toBe(false);
  expect(VerificationReport.safeParse({ ...report, v: 2 }).success).toBe(false);
  expect(Proof.safeParse({ v: 1 }).success).toBe(false);
});

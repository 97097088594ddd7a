import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { DEPTH_MAX } from "../../src/base/index.ts";
import { POLICIES } from "../../src/flow/record/profile-policies.ts";
import {
  ARTIFACT_BYTES_MAX,
  BODIES,
  CHECKS,
  EVENT_TYPES,
  EventRequest,
  type EventType,
  FAILURES,
  LINE_BYTES_MAX,
  ROLES,
} from "../../src/schema/index.ts";
import { FINAL_STATES, PROTOCOL, STATES } from "../../src/view/index.ts";

const FORMATS = resolve(import.meta.dirname, "../../docs/formats");
const events = readFileSync(resolve(FORMATS, "events.md"), "utf8");
const ledger = readFileSync(resolve(FORMATS, "ledger.md"), "utf8");

/** The body rows of the table whose header row is given, as cells without code marks. */
function tableUnder(page: string, header: string): string[][] {
  const lines = page.slice(page.indexOf(`${header}\n`)).split("\n");
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("`", "").trim()),
  );
}

const sections = new Map(
  events
    .split(/^### /m)
    .slice(1)
    .map((section) => [/^`(\w+)`/.exec(section)?.[1] ?? "", section]),
);
const examples = [...events.matchAll(/^```json\n(.*?)\n```$/gms)].map((match) => match[1] ?? "");
const protocol = tableUnder(events, "| type | by | in | leads to |");
const listed = (cell: string): string[] => cell.split(", ");
const OPEN = STATES.filter((state) => state !== "initialized" && !FINAL_STATES.includes(state));
const sorted = (names: readonly string[]): string[] => [...names].sort();

describe("docs/formats/events.md", () => {
  test("has one section and one example line for every event type, and no other", () => {
    expect([...sections.keys()]).toEqual(EVENT_TYPES);
    const types = examples.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(EVENT_TYPES);
    expect(examples.filter((line) => line.includes("\n"))).toEqual([]);
  });

  test("keeps each example in the section of its type", () => {
    for (const [type, section] of sections) {
      expect(section.split("```json").length, type).toBe(2);
      expect(section, type).toContain(`"type":"${type}"`);
    }
  });

  test.each(examples)("gives a request that the recorder takes: %.60s", (line) => {
    const parsed = EventRequest.safeParse(JSON.parse(line));
    expect(parsed.error?.issues).toBeUndefined();
  });

  test("names the roles and states of the protocol", () => {
    expect(protocol.map(([type]) => type)).toEqual(Object.keys(PROTOCOL));
    for (const [type, by = "", states = ""] of protocol) {
      const row = PROTOCOL[type as EventType];
      expect(sorted(by === "all" ? ROLES : listed(by)), type).toEqual(sorted(row.by));
      const named = listed(states).flatMap((state) => (state === "open" ? OPEN : [state]));
      expect(sorted(named), type).toEqual(sorted(row.in));
    }
  });

  test("says where each event leads", () => {
    for (const [type, , , leadsTo = ""] of protocol) {
      const { to } = PROTOCOL[type as EventType];
      if (typeof to === "function") expect(leadsTo, type).toContain(", else ");
      else expect(leadsTo, type).toBe(to ?? "stays");
    }
  });

  test("lists every field of every body", () => {
    for (const type of EVENT_TYPES) {
      const fields = [...(sections.get(type) ?? "").matchAll(/^- `(\w+)`/gm)].map(
        ([, name]) => name,
      );
      expect(fields, type).toEqual(Object.keys(BODIES[type].shape));
    }
  });

  test("gives the thresholds of each profile", () => {
    const header =
      "| profile | approval_from | evidence_min | attempts_max | rework_max | fallback |";
    const rows = tableUnder(events, header).map(([profile, ...values]) => [profile, values]);
    const expected = Object.entries(POLICIES).map(([profile, policy]) => [
      profile,
      [
        policy.approval_from,
        policy.evidence_min,
        policy.attempts_max,
        policy.rework_max,
        policy.fallback,
      ].map(String),
    ]);
    expect(rows).toEqual(expected);
  });
});

describe("docs/formats/ledger.md", () => {
  const codes = tableUnder(ledger, "| Code | Check | Severity |");

  test("lists every failure code with its check and severity", () => {
    const expected = Object.entries(FAILURES).map(([code, [check, severity]]) => [
      code,
      check,
      severity,
    ]);
    expect(codes).toEqual(expected);
  });

  test("gives the limits that the code has", () => {
    const limits = new Map(
      tableUnder(ledger, "| What | Most |").map(([what, most]) => [what, most]),
    );
    const figure = (value: number): string => value.toLocaleString("en-US");
    expect(limits.get("line of a ledger, or of a script")).toBe(`${figure(LINE_BYTES_MAX)} bytes`);
    expect(limits.get("artifact")).toBe(`${figure(ARTIFACT_BYTES_MAX)} bytes`);
    expect(limits.get("nesting of JSON")).toBe(figure(DEPTH_MAX));
  });

  test("lists the checks in the order of a report", () => {
    expect([...new Set(codes.map(([, check]) => check))]).toEqual([...CHECKS]);
  });
});

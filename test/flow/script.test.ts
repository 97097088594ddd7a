import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { recordScript } from "../../src/flow/record/script.ts";
import { opening, temporaryFolder, temporaryPlace } from "../fake/sandbox.ts";
import { message, review } from "./requests.ts";

const ADA = { agent: "ada", role: "planner" };
const CLAIM = {
  claim_id: "c1",
  claim_text: "It works",
  confidence: 90,
  evidence: ["diff"],
  execution_ids: ["e1"],
};

function recorded(text: string | Buffer, more: Partial<Parameters<typeof recordScript>[1]> = {}) {
  const place = temporaryPlace();
  async function* open() {
    yield Buffer.from(text);
  }
  const options = { open, isRepeatable: true, artifactRoots: [temporaryFolder()], ...more };
  return { place, outcome: recordScript(place, options) };
}

/** What a script of one line is told about it. */
async function said(line: unknown): Promise<string> {
  const text = typeof line === "string" ? line : JSON.stringify(line);
  try {
    await recorded(`${text}\n`).outcome;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}

test("a misspelt member is named, with the one that was meant", async () => {
  const { claim_text: text, ...rest } = CLAIM;
  expect(await said({ actor: ADA, type: "claim_issued", body: { ...rest, text } })).toBe(
    "line 1: body.claim_text is missing (expected text); " +
      "body.text is not a field of it (did you mean claim_text?) (in claim_issued)",
  );
  expect(await said({ actor: ADA, type: "message_posted", boddy: { text } })).toBe(
    "line 1: body is missing (expected an object with text); " +
      "boddy is not a field of it (did you mean body?) (in message_posted)",
  );
  expect(await said({ actor: ADA, type: "message_posted", body: { text, zzz: 1 } })).toBe(
    "line 1: body.zzz is not a field of it; its fields are text, kind, parents, issue_id, links, meta, attachment (in message_posted)",
  );
});

test("a number, a list, a choice and a name say what was expected and what was found", async () => {
  const body = { ...CLAIM, claim_id: "C1", confidence: 0.9, evidence: [], execution_ids: "e1" };
  expect(await said({ actor: ADA, type: "claim_issued", body })).toBe(
    "line 1: body.claim_id: expected lower-case letters, digits, dot, dash or underscore, " +
      'found "C1"; body.confidence: expected a whole number 0 to 100, found 0.9; ' +
      "body.evidence: expected a list of 1 to 1000, found a list of 0; " +
      'body.execution_ids: expected a list of 1 to 100, found "e1" (in claim_issued)',
  );
  const planer = { agent: "ada", role: "planer" };
  expect(await said({ actor: planer, type: "message_posted", body: { text: "" } })).toBe(
    "line 1: actor.role: expected one of planner, executor, critic, auditor, operator, runtime, " +
      'found "planer" (did you mean planner?); ' +
      'body.text: expected text of 1 to 65536 characters, found "" (in message_posted)',
  );
  const long = { text: "x".repeat(70_000) };
  expect(await said({ actor: ADA, type: "message_posted", body: long })).toContain(
    "expected text of 1 to 65536 characters, found 70000 characters",
  );
});

test("a wrong type names the nearest one, and all of them where none is near", async () => {
  expect(await said({ actor: ADA, type: "claim_isued", body: CLAIM })).toBe(
    'line 1: type: there is no "claim_isued" (did you mean claim_issued?)',
  );
  const far = await said({ actor: ADA, type: "xyz", body: CLAIM });
  expect(far).toMatch(/^line 1: type: expected one of session_initialized, .*, found "xyz"$/);
  expect(await said({ actor: ADA, typ: "claim_issued", body: CLAIM })).toMatch(
    /^line 1: type is missing .*, found typ\)$/,
  );
});

test("at most five problems of a line are told, and how many more there are", async () => {
  const body = { a: 1, b: 2, c: 3, d: 4, e: 5, text: "t" };
  const words = await said({ actor: ADA, type: "message_posted", body, f: 6, g: 7 });
  expect(words.split("; its fields are")).toHaveLength(6);
  expect(words).toContain("and 2 more");
});

test.each(["[", "{", "[{}]", '[{"a":1},'])(
  "a script that is an array or spread over lines is told so: %s",
  async (line) => {
    expect(await said(line)).toMatch(
      /^line 1: expected one whole request on each line, .* array; write each/,
    );
  },
);

test("a byte order mark is passed over at the start of a script and nowhere else", async () => {
  const line = JSON.stringify(opening());
  expect(await recorded(`\ufeff${line}\n`).outcome).toMatchObject({ entries: 1 });
  const later = recorded(`${line}\n\ufeff${JSON.stringify(message("m"))}\n`);
  await expect(later.outcome).rejects.toThrow(/^line 2: /);
});

test("an artifact that is missing is told with its line, and nothing is recorded", async () => {
  const missing = { ...message("see"), artifacts: [{ path: "none.txt" }] };
  const lines = [opening(), message("one"), missing].map((request) => JSON.stringify(request));
  const { place, outcome } = recorded(`${lines.join("\n")}\n`);
  await expect(outcome).rejects.toThrow(/^line 3: artifacts: there is no file none\.txt/);
  expect(place.traces()).toEqual([]);
});

test("progress is told only after something was recorded", async () => {
  const told: number[] = [];
  const onRecorded = (entries: number) => told.push(entries);
  await recorded(`${JSON.stringify(message("first"))}\n`, { onRecorded }).outcome;
  expect(told).toEqual([]);
  await recorded(`${JSON.stringify(opening())}\n`, { onRecorded }).outcome;
  expect(told).toEqual([1]);
});

test("a refusal says whose request it was and who can end the session", async () => {
  const lines = [opening(), review("p9")].map((request) => JSON.stringify(request));
  const { place, outcome } = recorded(`${lines.join("\n")}\n`);
  expect(await outcome).toMatchObject({ refused: { line: 2, agent: "cleo" }, operator: "mara" });
  expect(existsSync(place.store)).toBe(true);
});

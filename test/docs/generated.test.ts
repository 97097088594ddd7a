import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { REQUIREMENTS } from "../requirements.ts";
import { ROOT, read } from "./markdown.ts";

function runScript(name: string, args: readonly string[]): string {
  return execFileSync(process.execPath, [resolve(ROOT, "scripts", name), ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 24,
  });
}

const FILES = [
  "admission-decision.json",
  "admission-facts.json",
  "ci-report.json",
  "config.json",
  "contract.json",
  "entry.json",
  "event-request.json",
  "execution-plan.json",
  "known-findings.json",
  "manifest.json",
  "packet-report.json",
  "packet.json",
  "plan-verimap.json",
  "plan.json",
  "proof.json",
  "review-report.json",
  "session-report.json",
  "task-context.json",
  "task-packet.json",
  "verification-report.json",
  "work-report.json",
  "workflow-state.json",
];

test("the JSON Schemas are the ones the code gives", () => {
  const fresh = mkdtempSync(join(tmpdir(), "sworn-docs-"));
  onTestFinished(() => rmSync(fresh, { recursive: true, force: true }));
  runScript("schemas.mjs", [fresh]);
  expect(readdirSync(fresh).sort()).toEqual(FILES);
  expect(readdirSync(resolve(ROOT, "schemas")).sort()).toEqual(FILES);
  for (const file of FILES) {
    const message = `${file} is out of date: run "npm run schemas"`;
    expect(read(`schemas/${file}`), message).toBe(readFileSync(join(fresh, file), "utf8"));
  }
});

test("the JSON Schemas say who they are and accept no unknown members", () => {
  for (const file of FILES) {
    const schema = JSON.parse(read(`schemas/${file}`)) as Record<string, unknown>;
    expect(schema["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(schema["title"]).toBeTypeOf("string");
    expect(schema["description"]).toBeTypeOf("string");
    expect(schema).not.toHaveProperty("$id");
    expect(read(`schemas/${file}`)).toContain('"additionalProperties": false');
  }
});

test("the schema of requests takes the example and refuses an unknown member", () => {
  const document = JSON.parse(read("schemas/event-request.json")) as z.core.JSONSchema.JSONSchema;
  const schema = z.fromJSONSchema(document);
  const lines = read("examples/session.jsonl").trimEnd().split("\n");
  for (const line of lines) expect(schema.safeParse(JSON.parse(line)).success, line).toBe(true);
  const request = JSON.parse(lines[1] ?? "") as object;
  expect(schema.safeParse({ ...request, extra: 1 }).success).toBe(false);
});

test("the list of requirements is complete, in words and as JSON", () => {
  const printed = runScript("requirements.mjs", []);
  for (const [id, { text }] of Object.entries(REQUIREMENTS)) {
    expect(printed).toContain(`${id} `);
    expect(printed).toContain(text);
  }
  const { requirements, totals } = JSON.parse(runScript("requirements.mjs", ["--json"])) as {
    requirements: { id: string; state: string; text: string }[];
    totals: { items: number; tested: number; planned: number; superseded: number }[];
  };
  expect(requirements.map(({ id }) => id)).toEqual(Object.keys(REQUIREMENTS));
  const sum = totals.reduce((all, { items }) => all + items, 0);
  expect(sum).toBe(requirements.length);
  for (const { items, tested, planned, superseded } of totals)
    expect(tested + planned + superseded).toBe(items);
});

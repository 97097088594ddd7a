import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { askScaffold } from "../../../src/cli/scaffold-questions.ts";
import { scaffold } from "../../../src/flow/plan/planner/scaffold.ts";
import { checkPlan } from "../../../src/plan/gate/index.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../../examples/planner/scaffold.yaml");
const answers = parse(readFileSync(EXAMPLE, "utf8")) as Record<string, unknown>;
const options = { request: undefined, task: undefined, root: "/srv/project" };

/** Somebody who types these lines, and then nothing more. */
const typing = (...lines: string[]) => {
  const asked: string[] = [];
  const asker = async (question: string) => {
    asked.push(question);
    return lines.shift();
  };
  return { asker, asked, left: lines };
};

test("complete answers make a plan that passes the gate", () => {
  const { plan, report } = scaffold(answers, options);
  expect(report).toMatchObject({ ready: true, points: 100, violations: [], form: "plan" });
  expect(checkPlan(plan)).toMatchObject({ ready: true });
  expect(plan.subtasks[0]?.proofs.map(({ kind }) => kind)).toEqual(["test", "python", "judge"]);
  expect(plan.handoff_ready).toBe(true);
});

test("what is left open is asked in the plan, and costs what an open SPECIFY costs", () => {
  const { report } = scaffold({ ...answers, constraints: "", success: " " }, options);
  expect(report).toMatchObject({ ready: false, points: 60, violations: [] });
  expect(report.questions.map(({ question }) => question)).toEqual([
    "Which figures bound it: speed, size, security, compatibility?",
    "How does a person see in production that it works?",
  ]);
});

test("work on storage that nobody looked into asks who owns it", () => {
  const [first] = answers["subtasks"] as { existing: unknown; instruction: string }[];
  const rest = { ...first, instruction: "Store the order in the database.", existing: undefined };
  const { report } = scaffold({ ...answers, subtasks: [rest] }, options);
  expect(report.violations).toEqual([]);
  expect(report.questions).toMatchObject([{ blocks: "ST-01" }]);
});

test("answers that are wrong are named", () => {
  expect(() => scaffold({ ...answers, subtasks: [{ type: "CODE" }] }, options)).toThrow(
    /subtasks\[0\]/,
  );
  expect(() => scaffold({ ...answers, scop: 1 }, options)).toThrow(/scop/);
  expect(() => scaffold({ ...answers, request: undefined }, options)).toThrow(/what is wanted/);
});

test("whoever types is asked for the surface scan and for one subtask after the other", async () => {
  const typed = typing(
    ...[
      "the settings",
      "everything else, because nobody asked",
      "None",
      "No other system reads it",
    ],
    ...["It is refused", "It is refused", "One file", "It is read once", "It waits for nothing"],
    ...["The service listens on 8080", "It NEVER changes another key, because others own them"],
    ...["Set the port", "config", "Set server.port in settings.json to 8080."],
    ...["settings.json", "/server/port", "8080"],
    ...["GIVEN settings.json WHEN it is read THEN /server/port is 8080", ""],
    ...["Describe the port", "DOCS", "Say in docs/port.md where the port is set.", "ST-01"],
    ...["docs/port.md", "Where; Why"],
    ...["GIVEN docs/port.md WHEN a reader looks under Where THEN it names settings.json", ""],
    "",
  );
  const given = await askScaffold({ request: "Set the port to 8080" }, typed.asker);
  expect(typed.left).toEqual([]);
  const { plan, report } = scaffold(given, options);
  expect(report.violations).toEqual([]);
  expect(report).toMatchObject({ ready: true, points: 90 });
  expect(plan.subtasks.map(({ proofs }) => proofs[0])).toMatchObject([
    { kind: "json", path: "settings.json", pointer: "/server/port", equals: 8080 },
    { kind: "sections", headings: ["Where", "Why"] },
  ]);
  expect(plan.subtasks[1]?.context_required).toEqual({ "ST-01": ["summary"] });
});

test("a service is started and asked, and an input that ends early is an error", async () => {
  const typed = typing(
    "Serve",
    "INFRA",
    "Start it with `node server.js` on port 8080.",
    "node server.js",
    "8080",
    "/health",
    "200",
    "GIVEN the service WHEN /health is asked for THEN it answers with status 200",
    "",
    "",
  );
  const { subtasks: _, ...rest } = answers;
  const given = await askScaffold(rest, typed.asker);
  const { report, plan } = scaffold(given, options);
  expect(report).toMatchObject({ violations: [], ready: true });
  expect(plan.subtasks[0]?.proofs[0]).toMatchObject({
    kind: "http",
    start: ["node", "server.js"],
    port: 8080,
  });
  await expect(askScaffold(rest, typing("Serve", "INFRA").asker)).rejects.toThrow(
    /the input has ended/,
  );
  await expect(askScaffold(rest, typing("Serve", "PAINT").asker)).rejects.toThrow(
    /expected CODE, CONFIG/,
  );
});

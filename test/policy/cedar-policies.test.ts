import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { expect, test } from "vitest";
import { requestOf } from "../../src/admit/request-of.ts";
import { nothingWaived } from "../../src/admit/waived.ts";
import type { Cedar } from "../../src/policy/cedar.ts";
import { CedarPolicies } from "../../src/policy/cedar-policies.ts";
import { shippedRules } from "../../src/policy/cedar-rule.ts";
import { shippedFiles } from "../../src/policy/policy-file.ts";
import { startFacts } from "./facts.ts";

const files = shippedFiles();
const rules = files
  .filter(({ kind }) => kind === "cedar")
  .flatMap((file) => shippedRules(cedar, file));
const schema = files.find(({ kind }) => kind === "schema") as (typeof files)[number];
const request = requestOf(startFacts(), nothingWaived());
type Answer = ReturnType<Cedar["statefulIsAuthorized"]>;

/** The policies, with a Cedar that answers something else. */
function answering(answer: (real: Answer) => Answer): CedarPolicies {
  const faulty = {
    ...cedar,
    statefulIsAuthorized: (call: Parameters<Cedar["statefulIsAuthorized"]>[0]) =>
      answer(cedar.statefulIsAuthorized(call)),
  } as Cedar;
  return new CedarPolicies(faulty, "faulty", schema, rules);
}

const detail = { message: "odd", help: null, code: null, url: null, severity: null };

test("a yes comes with the permit that gave it", () => {
  expect(answering((real) => real).decide(request)).toEqual({
    decision: "allow",
    matched: ["A.1"],
    errors: [],
  });
});

test("a yes with an error, a warning, no permit or somebody else's permit is a no", () => {
  const changes: ((real: Answer) => Answer)[] = [
    (real) => ({ ...real, warnings: [detail] }),
    (real) => withDiagnostics(real, { errors: [{ policyId: "F.3", error: detail }] }),
    (real) => withDiagnostics(real, { reason: [] }),
    (real) => withDiagnostics(real, { reason: ["A.1", "user/mine.cedar#1"] }),
    () => ({ type: "failure", errors: [detail], warnings: [] }),
  ];
  for (const change of changes) expect(answering(change).decide(request).decision).toBe("deny");
});

function withDiagnostics(real: Answer, change: object): Answer {
  if (real.type !== "success") throw new Error("expected an answer");
  const { response } = real;
  const diagnostics = { ...response.diagnostics, ...change };
  return { ...real, response: { ...response, diagnostics } };
}

test("after Cedar has thrown, nothing is allowed any more", () => {
  let isFaulty = true;
  const policies = answering((real) => {
    if (isFaulty) throw new Error("unreachable");
    return real;
  });
  expect(policies.decide(request)).toEqual({
    decision: "deny",
    matched: [],
    errors: ["Cedar failed: unreachable"],
  });
  isFaulty = false;
  expect(policies.decide(request).decision).toBe("deny");
});

test("two policies of one name are refused", () => {
  const twice = [...rules, ...rules.slice(0, 1)];
  expect(() => new CedarPolicies(cedar, "twice", schema, twice)).toThrow(/same name/);
});

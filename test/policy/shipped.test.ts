import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { expect, test } from "vitest";
import { requestOf } from "../../src/admit/request-of.ts";
import { nothingWaived } from "../../src/admit/waived.ts";
import { CedarPolicies } from "../../src/policy/cedar-policies.ts";
import { shippedRules } from "../../src/policy/cedar-rule.ts";
import { loadPolicies } from "../../src/policy/index.ts";
import { digestOf, shippedFiles } from "../../src/policy/policy-file.ts";
import { CONTROLS } from "../../src/schema/admission.ts";
import { verifies } from "../verifies.ts";
import { completeFacts, startFacts } from "./facts.ts";

const files = shippedFiles();
const cedarFiles = files.filter(({ kind }) => kind === "cedar");
const rules = cedarFiles.flatMap((file) => shippedRules(cedar, file));
const schema = files.find(({ kind }) => kind === "schema") as (typeof files)[number];

verifies("004-76", "each group of rules is a file of policies that a program executes", () => {
  expect(cedarFiles.map(({ name }) => name)).toEqual(
    ["A", "F", "I", "N", "P", "S", "U", "W", "X"].map((group) => `${group}.cedar`),
  );
  for (const file of cedarFiles) {
    const inFile = shippedRules(cedar, file);
    expect(inFile.length).toBeGreaterThan(0);
    for (const { rule, policy } of inFile) {
      expect(policy).toBe(rule);
      expect(file.name[0]).toBe(rule[0]);
    }
  }
});

test("one policy permits and all others forbid", () => {
  const permits = rules.filter(({ effect }) => effect === "permit");
  expect(permits.map(({ policy }) => policy)).toEqual(["A.1"]);
  expect(rules.length).toBeGreaterThan(40);
});

test("these rules have no exceptions", () => {
  const strict = rules.filter(({ isWaivable, effect }) => !isWaivable && effect === "forbid");
  expect(strict.map(({ rule }) => rule).sort()).toEqual([
    "F.1.network",
    "F.1.network_none",
    "F.3",
    "I.1",
    "P.1",
    "P.2",
    "P.3",
    "P.4",
    "S.1",
    "U.1",
    "U.2",
    "U.3",
    "U.4.encrypted",
    "U.4.logged",
    "U.5",
  ]);
});

test("a rule with exceptions asks for exceptions from itself and from no other rule", () => {
  const sets: string[] = [];
  for (const { rule, text, names, isWaivable, effect } of rules) {
    if (effect === "permit" || !isWaivable) continue;
    const asked = [...text.matchAll(/waived\.(\w+)\.contains(?:All)?\(("[^"]*")?/g)];
    expect(asked).toHaveLength(1);
    if (names === undefined) expect(asked[0]?.slice(1)).toEqual(["rules", `"${rule}"`]);
    else expect(asked[0]?.[1]).toBe(names);
    if (names !== undefined) sets.push(names);
  }
  expect(new Set(sets).size).toBe(sets.length);
  expect([...sets, "rules"].sort()).toEqual(Object.keys(nothingWaived()).sort());
});

test("what a rule shows is there to be shown", () => {
  const { context } = requestOf(completeFacts(), nothingWaived());
  for (const { rule, shows } of rules) {
    if (shows === undefined) continue;
    const found = shows
      .split(".")
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], context);
    expect(found, rule).toBeDefined();
  }
});

verifies("004-77", "without any forbid, a control that is missing is still denied", () => {
  const permits = rules.filter(({ effect }) => effect === "permit");
  const alone = new CedarPolicies(cedar, "permit-alone", schema, permits);
  const facts = startFacts();
  const decide = (controls: object) =>
    alone.decide(
      requestOf({ ...facts, controls: { ...facts.controls, ...controls } }, nothingWaived()),
    ).decision;
  expect(decide({})).toBe("allow");
  for (const control of CONTROLS) expect(decide({ [control]: false }), control).toBe("deny");
});

test("without any permit, nothing is allowed", () => {
  const forbids = rules.filter(({ effect }) => effect === "forbid");
  const alone = new CedarPolicies(cedar, "forbid-alone", schema, forbids);
  const answer = alone.decide(requestOf(startFacts(), nothingWaived()));
  expect(answer).toEqual({ decision: "deny", matched: [], errors: [] });
});

test("an attribute that is missing denies, where Cedar by itself allows", async () => {
  const bare = cedar.isAuthorized({
    principal: { type: "P", id: "p" },
    action: { type: "Action", id: "start" },
    resource: { type: "R", id: "r" },
    context: {},
    policies: {
      staticPolicies: {
        yes: "permit(principal, action, resource);",
        no: 'forbid(principal, action, resource) when { context.network != "none" };',
      },
    },
    entities: [],
  });
  // This is why requests are checked: if it ever changes, nothing here gets weaker.
  expect(bare).toMatchObject({ type: "success", response: { decision: "allow" } });

  const policies = await loadPolicies();
  const request = requestOf(startFacts(), nothingWaived());
  const { network: _, ...run } = request.context["run"] as Record<string, never>;
  const answer = await policies.decide({ ...request, context: { ...request.context, run } });
  expect(answer.decision).toBe("deny");
  expect(answer.errors.join()).toContain("network");
});

test("an attribute that is unknown or of another type denies", async () => {
  const policies = await loadPolicies();
  const request = requestOf(startFacts(), nothingWaived());
  const run = request.context["run"] as Record<string, never>;
  for (const change of [{ extra: true }, { network: 7 }, { same_node: "true" }, { argv: null }]) {
    const context = { ...request.context, run: { ...run, ...change } };
    const answer = await policies.decide({ ...request, context });
    expect(answer.decision, JSON.stringify(change)).toBe("deny");
    expect(answer.errors.length).toBeGreaterThan(0);
  }
  expect((await policies.decide(request)).decision).toBe("allow");
});

test("the digest stands for every byte, every name and every origin", () => {
  const [first, ...rest] = files;
  if (!first) throw new Error("there are files");
  const digest = digestOf(files, []);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(digestOf(shippedFiles(), [])).toBe(digest);
  const changed = { ...first, bytes: Buffer.concat([first.bytes, Buffer.from(" ")]) };
  expect(digestOf([changed, ...rest], [])).not.toBe(digest);
  expect(digestOf([{ ...first, name: "other" }, ...rest], [])).not.toBe(digest);
  expect(digestOf(rest, [first])).not.toBe(digest);
});

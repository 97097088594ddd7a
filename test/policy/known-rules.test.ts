import { readFileSync } from "node:fs";
import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { expect, test } from "vitest";
import { CedarPolicies } from "../../src/policy/cedar-policies.ts";
import { shippedRules } from "../../src/policy/cedar-rule.ts";
import { makeRuleList, rulesOfShipped } from "../../src/policy/known-rules.ts";
import { shippedFiles, shippedRulesPath } from "../../src/policy/policy-file.ts";

const files = shippedFiles();
const asked = files
  .filter(({ kind }) => kind === "cedar")
  .flatMap((file) => shippedRules(cedar, file));

test("the list of rules says what Cedar says, to the byte", () => {
  const written = `${JSON.stringify(makeRuleList(cedar, files), null, 2)}\n`;
  expect(readFileSync(shippedRulesPath(), "utf8")).toBe(written);
  expect(rulesOfShipped(cedar, files)).toEqual({
    rules: asked,
    checked: makeRuleList(cedar, files).schema,
  });
});

test("the listed rules fit their schema when they are held against it", () => {
  const [schema] = files;
  expect(schema?.kind).toBe("schema");
  const { rules } = rulesOfShipped(cedar, files);
  if (schema !== undefined) new CedarPolicies(cedar, "all-listed", schema, rules);
  const wrong = rules.map((rule) =>
    rule.policy === "F.3"
      ? { ...rule, text: rule.text.replaceAll("context.run", "context.ran") }
      : rule,
  );
  expect(() => schema && new CedarPolicies(cedar, "one-wrong", schema, wrong)).toThrow(
    /do not fit their schema/,
  );
});

test("a policy that was changed by one byte is read and checked anew", () => {
  const changed = files.map((file) => {
    if (file.name !== "N.cedar") return file;
    const text = file.bytes.toString("utf8").replace("runs on the same machine", "stays here");
    return { ...file, bytes: Buffer.from(text) };
  });
  const { rules, checked } = rulesOfShipped(cedar, changed);
  expect(checked).toBe(undefined);
  expect(rules.find(({ rule }) => rule === "N.1")?.why).toContain("stays here");
});

// Writes policies/rules.json: what Cedar says about the shipped policies, for the files as they are.
// Refuses to when they do not fit their schema. Usage: npm run schemas
import { rmSync, writeFileSync } from "node:fs";
import { loadCedar } from "../dist/policy/cedar.js";
import { makeRuleList } from "../dist/policy/known-rules.js";
import { loadPolicies } from "../dist/policy/policies.js";
import { shippedFiles, shippedRulesPath } from "../dist/policy/policy-file.js";

rmSync(shippedRulesPath(), { force: true });
// Without the list every policy is parsed and held against the schema, or this throws.
await (await loadPolicies()).close();
const list = makeRuleList(await loadCedar(), shippedFiles());
writeFileSync(shippedRulesPath(), `${JSON.stringify(list, null, 2)}\n`);
console.log("wrote rules.json");

export type { PolicyAnswer, PolicyRequest } from "./cedar-policies.ts";
export type { CedarRule } from "./cedar-rule.ts";
export { loadPolicies, type Policies, type PolicySource } from "./policies.ts";
export { shippedCasesPath } from "./policy-file.ts";

export type { Rule } from "./rule.ts";
export { findSecrets, type SecretHit, type SecretOptions, scanSecrets } from "./scan-secrets.ts";
export { secret } from "./secret.ts";

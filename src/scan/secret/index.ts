export type { Rule } from "./rule.ts";
export { type SecretHit, type SecretOptions, scanSecrets } from "./scan-secrets.ts";
export { secret } from "./secret.ts";

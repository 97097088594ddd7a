export type { Resolve } from "./address-book.ts";
export type { EgressBudget } from "./budget.ts";
export { type EgressOptions, EgressProxy } from "./egress-proxy.ts";
export type { EgressLimits } from "./limits.ts";
export { type LockfileRules, lockfileRules } from "./lockfile-rules.ts";
export type { EgressLogLine } from "./log.ts";
export { type ModelAccess, modelAccess } from "./model-access.ts";
export type { Refusal, RefusalCode } from "./refusal.ts";
export { isRegistryRefusal, registryRules, userSource } from "./registry-rules.ts";
export type {
  PullKind,
  RegistryRefusal,
  RegistryRules,
  RegistrySource,
} from "./registry-source.ts";
export { relayCommand, relayedCommand } from "./relay-command.ts";
export type { EgressRule } from "./rule.ts";
export { createRunAuthority, type RunAuthority } from "./run-authority.ts";
export { type TrustEnvironment, trustEnvironment } from "./trust-environment.ts";
export {
  proxyTo,
  type UpstreamProxies,
  type UpstreamProxy,
  upstreamProxiesFrom,
} from "./upstream-proxy.ts";
export { userAuthorities } from "./user-authorities.ts";

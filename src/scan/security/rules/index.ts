import type { CallRule, Rule } from "../rule.ts";
import { CODE_INJECTION } from "./code-injection.ts";
import { COMMAND_INJECTION, SHELL_ARGUMENTS } from "./command-injection.ts";
import { OPEN_REDIRECT } from "./open-redirect.ts";
import { PATH_TRAVERSAL } from "./path-traversal.ts";
import { PROTOTYPE_POLLUTION } from "./prototype-pollution.ts";
import { REDOS } from "./redos.ts";
import { SQL_INJECTION } from "./sql-injection.ts";
import { SSRF } from "./ssrf.ts";
import { UNSAFE_DESERIALIZATION } from "./unsafe-deserialization.ts";
import { WEAK_CIPHERS, WEAK_DERIVATION, WEAK_HASHING, WEAK_RANDOM } from "./weak-crypto.ts";
import { XSS } from "./xss.ts";

/** The rules that follow a value. A new one is a file of its own and a line here. */
export const RULES: readonly Rule[] = [
  COMMAND_INJECTION,
  SHELL_ARGUMENTS,
  CODE_INJECTION,
  SQL_INJECTION,
  PATH_TRAVERSAL,
  PROTOTYPE_POLLUTION,
  REDOS,
  UNSAFE_DESERIALIZATION,
  SSRF,
  XSS,
  OPEN_REDIRECT,
];

/** The rules that a call breaks by itself. */
export const CALL_RULES: readonly CallRule[] = [
  WEAK_HASHING,
  WEAK_CIPHERS,
  WEAK_DERIVATION,
  WEAK_RANDOM,
];

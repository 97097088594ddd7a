import type { Language } from "../syntax/index.ts";
import { brokenSyntax } from "./broken-syntax.ts";
import { comparison, comparisonPython } from "./comparison.ts";
import { condition } from "./condition.ts";
import { floatingCoroutine } from "./floating-coroutine.ts";
import { floatingPromise } from "./floating-promise.ts";
import { missingReturn } from "./missing-return.ts";
import { mutableDefault } from "./mutable-default.ts";
import { repeatedCase, repeatedCondition, repeatedConditionPython } from "./repeated-condition.ts";
import { repeatedKey, repeatedKeyPython } from "./repeated-key.ts";
import type { Rule } from "./rule.ts";
import { emptyCatch, emptyExcept, emptyRejection } from "./swallowed-error.ts";
import { unreachable, unreachablePython } from "./unreachable.ts";

/** All rules by language. */
export const RULES: Readonly<Record<Language, readonly Rule[]>> = {
  javascript: [
    floatingPromise,
    unreachable,
    repeatedCondition,
    repeatedCase,
    repeatedKey,
    emptyCatch,
    emptyRejection,
    comparison,
    condition,
    missingReturn,
    brokenSyntax,
  ],
  python: [
    floatingCoroutine,
    unreachablePython,
    repeatedConditionPython,
    repeatedKeyPython,
    emptyExcept,
    comparisonPython,
    mutableDefault,
    brokenSyntax,
  ],
};

import type { Rule } from "../rule.ts";
import { executionLevel } from "./level.ts";

/** Found by writes through a key to an object that was itself reached by a key. */
export const PROTOTYPE_POLLUTION: Rule = {
  category: "prototype-pollution",
  title: "Keys from outside can reach a prototype",
  harm: "With `__proto__` or `constructor` and `prototype` as keys the write lands on Object.prototype, and every object has the property from then on.",
  fix: "Refuse the keys __proto__, constructor and prototype, follow own properties only, or use a Map or an object without a prototype.",
  sinks: [],
  cleanerNames: /unsafe|safe.?key|sanit/i,
  level: (kind) => {
    const level = executionLevel(kind);
    // Arguments and files of the user's own are not a way in for strangers.
    return kind === "argument" || level !== "P1" ? "P2" : "P1";
  },
};

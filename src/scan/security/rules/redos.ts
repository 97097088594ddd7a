import { CUT, HELD, MEMBER, PART, type Value } from "../engine/value.ts";
import type { Rule } from "../rule.ts";

/** A text from outside that is put into a pattern as it is; what was taken apart is a language. */
const isPutInto = ({ flows }: Value): boolean =>
  flows.some(({ shape }) => (shape & (PART | MEMBER | CUT | HELD)) === PART);

/** Found where a pattern that can take very long meets a text from outside. */
export const REDOS: Rule = {
  category: "redos",
  title: "Pattern that can take very long",
  harm: "A text of the wrong shape keeps the process busy, because the pattern can match the same part in many ways.",
  fix: "Write the pattern so that neighbouring repetitions cannot match the same characters, anchor it, or bound the length of the text first; quote what is put into a pattern.",
  sinks: [{ calls: ["RegExp"], args: [0], when: (_call, value) => isPutInto(value) }],
  cleanerNames: /escape|quote/i,
  level: (kind) => {
    if (kind === "request" || kind === "network") return "P1";
    return kind === "parameter" ? "P2" : "P3";
  },
};

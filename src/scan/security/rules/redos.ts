import type { Rule } from "../rule.ts";

/** Found where a pattern that can take very long meets a text from outside. */
export const REDOS: Rule = {
  category: "redos",
  title: "Pattern that can take very long",
  harm: "A text of the wrong shape keeps the process busy, because the pattern can match the same part in many ways.",
  fix: "Write the pattern so that neighbouring repetitions cannot match the same characters, anchor it, or bound the length of the text first.",
  sinks: [],
  level: (kind) => {
    if (kind === "request" || kind === "network") return "P1";
    return kind === "parameter" ? "P2" : "P3";
  },
};

import { HOLE } from "../engine/value.ts";
import type { Rule } from "../rule.ts";

export const OPEN_REDIRECT: Rule = {
  category: "open-redirect",
  title: "Outside data chooses where a visitor is sent",
  harm: "A link to this site leads to any other one.",
  fix: "Redirect to paths of this site only, or to addresses from a fixed list.",
  sinks: [
    {
      methods: ["redirect"],
      when: (_, { text }) => text === undefined || text.startsWith(HOLE),
    },
    {
      calls: ["redirect", "flask.redirect", "django.shortcuts.redirect"],
      args: [0],
      when: (_, { text }) => text === undefined || text.startsWith(HOLE),
    },
  ],
  cleaners: ["encodeURIComponent", "url_for"],
  level: (kind) => (kind === "request" ? "P2" : undefined),
};

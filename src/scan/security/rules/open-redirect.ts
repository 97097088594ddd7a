import { HOLE, type Value } from "../engine/value.ts";
import type { Rule } from "../rule.ts";

/** The outside value stands at the start, so that it can name another host. */
const choosesHost = ({ text }: Value): boolean => text === undefined || text.startsWith(HOLE);

const PAGE = ["location", "window.location", "document.location"];

export const OPEN_REDIRECT: Rule = {
  category: "open-redirect",
  title: "Outside data chooses where a visitor is sent",
  harm: "A link to this site leads to any other one.",
  fix: "Redirect to paths of this site only, or to addresses from a fixed list; a path must not start with two slashes.",
  sinks: [
    { methods: ["redirect"] },
    { calls: ["redirect", "flask.redirect", "django.shortcuts.redirect"], args: [0] },
    {
      methods: ["setHeader", "header", "set"],
      args: [1],
      when: ({ args }) => /^location$/i.test(args[0]?.text ?? ""),
    },
    { calls: PAGE.flatMap((page) => [`${page}.assign`, `${page}.replace`]), args: [0] },
  ],
  properties: ["Location"],
  assigned: /^(?:window\.|document\.)?location(?:\.href)?$/,
  cleaners: ["encodeURIComponent", "url_for"],
  cleanerNames: /escape|collapse|leading|slashes/i,
  level: (kind, _, value) => (kind === "request" && choosesHost(value) ? "P2" : undefined),
};

import { HOLE, MEMBER, type Value } from "../engine/value.ts";
import type { Rule } from "../rule.ts";
import { requestLevel } from "./level.ts";

/** The outside value can choose the host: nothing fixed stands before it. */
const choosesHost = ({ text }: Value): boolean =>
  text === undefined || /^(?:https?:\/\/)?$/.test(text.slice(0, Math.max(0, text.indexOf(HOLE))));

const verbs = (module: string) =>
  ["get", "post", "put", "delete", "head", "patch", "request"].map((verb) => `${module}.${verb}`);

export const SSRF: Rule = {
  category: "ssrf",
  title: "Outside data chooses where a request goes",
  harm: "The server fetches whatever address it is given, also those that only it can reach.",
  fix: "Compare the host with a list of allowed ones before the request, and do not follow redirects elsewhere.",
  sinks: [
    {
      calls: [
        "fetch",
        "request",
        "axios",
        "got",
        "superagent",
        "needle",
        "undici.request",
        "undici.fetch",
        "urllib.request.urlopen",
        "urllib.request.Request",
        "urllib.request.urlretrieve",
        "urllib.urlopen",
        ...[
          "axios",
          "got",
          "request",
          "superagent",
          "needle",
          "http",
          "https",
          "requests",
          "httpx",
        ].flatMap((module) => verbs(module)),
      ],
      args: [0],
      when: (_, value) => choosesHost(value),
    },
  ],
  cleaners: ["encodeURIComponent", "urllib.parse.quote"],
  level: (kind, { shape }) => {
    if (kind === "parameter") return (shape & MEMBER) === 0 ? undefined : "P3";
    return requestLevel(kind);
  },
};

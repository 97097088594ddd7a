import { INNER, PART } from "../engine/value.ts";
import type { Call, Rule } from "../rule.ts";

/** Browsers take an answer in words for a page unless they are told otherwise. */
const isAnswer = ({ receiver, method }: Call, text: string | undefined): boolean =>
  method !== "write" &&
  /^res(?:ponse)?$/.test(receiver?.from?.at(-1) ?? "") &&
  /^[^{[\0]*[a-z]{2}:? /i.test(text ?? "");

export const XSS: Rule = {
  category: "xss",
  title: "Outside data becomes part of a page",
  harm: "Markup in the value is taken as part of the page, scripts included.",
  fix: "Set text instead of markup (textContent), or escape the value for HTML first.",
  sinks: [
    { calls: ["document.write", "document.writeln"] },
    { methods: ["insertAdjacentHTML"], args: [1] },
    {
      methods: ["html", "append", "prepend", "after", "before", "replaceWith"],
      args: [0],
      when: (_, { text }) => (text ?? "").includes("<"),
    },
    {
      methods: ["send", "end", "write"],
      args: [0],
      when: (call, { text, flows }) =>
        /(?:^|\.|\?)(?:res|response|resp|\?)?\.(?:send|end|write)$/.test(call.api) &&
        ((text ?? "").includes("<") || isAnswer(call, text)) &&
        flows.some(({ shape }) => (shape & (INNER | PART)) !== 0),
    },
    {
      calls: [
        "flask.make_response",
        "HttpResponse",
        "django.http.HttpResponse",
        "Markup",
        "markupsafe.Markup",
        "flask.Markup",
        "django.utils.safestring.mark_safe",
        "mark_safe",
      ],
      args: [0],
    },
  ],
  properties: ["innerHTML", "outerHTML", "srcdoc", "__html"],
  cleaners: [
    "encodeURIComponent",
    "encodeURI",
    "html.escape",
    "cgi.escape",
    "escape",
    "markupsafe.escape",
    "JSON.stringify",
    "textContent",
  ],
  cleanerNames: /escape|sanit|purif|encode|entit|striptags|textContent/i,
  level: (kind, _, { text }) => {
    if (kind === "request" || kind === "network")
      return text === undefined || text.includes("<") ? "P1" : "P2";
    if (kind !== "parameter") return undefined;
    return text?.includes("<") ? "P2" : "P3";
  },
};

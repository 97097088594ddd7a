import { type Flow, MEMBER } from "../engine/value.ts";
import { parameterName } from "../program.ts";
import type { Rule } from "../rule.ts";
import { executionLevel } from "./level.ts";
import { RUNNING_CONTEXTS } from "./module.ts";
import { isReviving } from "./unsafe-deserialization.ts";

export const CODE_INJECTION: Rule = {
  category: "code-injection",
  title: "Outside data is run as code",
  harm: "The text is compiled and run with the rights of this process.",
  fix: "Parse the data instead of running it (JSON.parse, ast.literal_eval), or choose from a fixed table of functions by name.",
  sinks: [
    {
      calls: ["eval", "globalThis.eval", "window.eval", "global.eval", "execScript"],
      args: [0],
      when: (call) => !isReviving(call),
    },
    {
      calls: ["Function", "AsyncFunction", "GeneratorFunction"],
      when: (call) => !isReviving(call),
    },
    { calls: RUNNING_CONTEXTS, args: [0], when: (call) => !isReviving(call) },
    { calls: ["vm2.run", "require-from-string", "safe-eval", "static-eval", "notevil"], args: [0] },
    {
      calls: ["setTimeout", "setInterval", "setImmediate"],
      args: [0],
      when: (_, value) => value.text !== undefined,
    },
    {
      calls: ["exec", "compile", "builtins.eval", "builtins.exec"],
      args: [0],
      when: ({ args }) => args.length > 0,
    },
    {
      calls: [
        "lodash.template",
        "underscore.template",
        "_.template",
        "handlebars.compile",
        "pug.compile",
        "pug.render",
        "jade.compile",
        "jade.render",
        "ejs.render",
        "ejs.compile",
        "doT.template",
        "nunjucks.renderString",
        "flask.render_template_string",
        "render_template_string",
        "jinja2.Template",
        "mako.template.Template",
      ],
      args: [0],
    },
    // It runs front matter that says it is JavaScript, unless it is told otherwise.
    { calls: ["gray-matter"], args: [0], when: ({ args }) => args.length < 2 },
    {
      calls: ["child_process.spawn", "child_process.spawnSync", "child_process.execFile"],
      args: [1],
      when: ({ args }) => (args[1]?.words ?? []).some((word) => /^(?:-e|--eval|-p)$/.test(word)),
    },
    { methods: ["from_string", "runInNewContext", "runInThisContext", "runInContext"], args: [0] },
  ],
  cleaners: ["JSON.stringify", "ast.literal_eval", "encodeURIComponent"],
  cleanerNames: /serializ|stringify|literal_eval|jsStringEscape/i,
  level: (kind, flow) => (kind === "parameter" && isTemplate(flow) ? "P3" : executionLevel(kind)),
};

/** The template that a compiler of templates is asked to compile is code by what it is. */
function isTemplate({ origin, shape }: Flow): boolean {
  if (origin.kind !== "parameter" || (shape & MEMBER) !== 0) return false;
  const parameter = origin.of.parameters[origin.index];
  const name = parameter === undefined ? "" : parameterName(parameter);
  return /templat|compil/i.test(origin.of.name) && TEMPLATE_NAME.test(name);
}

const TEMPLATE_NAME = /^(?:text|te?mpl\w*|tpl|source|src|str|string|code|input|markup)$/;

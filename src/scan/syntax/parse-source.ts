import languagePython from "@ast-grep/lang-python";
import { Lang, type NapiConfig, parse, registerDynamicLanguage, type SgNode } from "@ast-grep/napi";
import { type Grammar, grammarOf } from "./readable.ts";

/** A node of a syntax tree. */
export type Node = SgNode;

/** A question about nodes that the parser library answers by itself. */
export type NodeRule = NapiConfig["rule"];

export type Language = "javascript" | "python";

const PARSERS: Readonly<Record<Grammar, string>> = {
  javascript: Lang.JavaScript,
  typescript: Lang.TypeScript,
  tsx: Lang.Tsx,
  python: "python",
};

let isPythonRegistered = false;

/** A file's language and its syntax tree. */
export interface Parsed {
  readonly language: Language;
  readonly root: Node;
}

/** The last file and its tree: one reviewer after the other asks for the same one. */
let last: { readonly path: string; readonly text: string; readonly parsed: Parsed } | undefined;

/** A file's syntax tree. Broken syntax gives what could be read around it. */
export function parseSource(path: string, text: string): Parsed | undefined {
  const grammar = grammarOf(path);
  if (grammar === undefined) return undefined;
  if (last?.path !== path || last.text !== text) {
    last = { path, text, parsed: parsedBy(grammar, text) };
  }
  return last.parsed;
}

function parsedBy(grammar: Grammar, text: string): Parsed {
  if (grammar === "python" && !isPythonRegistered) {
    // The parser library refuses a second registration of the same language.
    registerDynamicLanguage({ python: languagePython });
    isPythonRegistered = true;
  }
  const language = grammar === "python" ? "python" : "javascript";
  return { language, root: parse(PARSERS[grammar], text).root() };
}

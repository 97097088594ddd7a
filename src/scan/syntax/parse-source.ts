import languagePython from "@ast-grep/lang-python";
import { Lang, type NapiConfig, parse, registerDynamicLanguage, type SgNode } from "@ast-grep/napi";

/** A node of a syntax tree. */
export type Node = SgNode;

/** A question about nodes that the parser library answers by itself. */
export type NodeRule = NapiConfig["rule"];

export type Language = "javascript" | "python";

const PARSERS: ReadonlyMap<string, string> = new Map([
  ["js", Lang.JavaScript],
  ["cjs", Lang.JavaScript],
  ["mjs", Lang.JavaScript],
  ["jsx", Lang.JavaScript],
  ["ts", Lang.TypeScript],
  ["mts", Lang.TypeScript],
  ["cts", Lang.TypeScript],
  ["tsx", Lang.Tsx],
  ["py", "python"],
]);

/** The languages whose code is read, as files are told apart by `fileKind`. */
export const LANGUAGES_READ: ReadonlySet<string> = new Set(["typescript", "javascript", "python"]);

let isPythonRegistered = false;

const parserOf = (path: string) => PARSERS.get(/\.([a-z]+)$/.exec(path)?.[1] ?? "");

/** Whether a path's ending names a language that can be read. */
export function isReadable(path: string): boolean {
  return parserOf(path) !== undefined && !/\.d\.[mc]?ts$/.test(path);
}

/** A file's language and its syntax tree. */
export interface Parsed {
  readonly language: Language;
  readonly root: Node;
}

/** The last file and its tree: one reviewer after the other asks for the same one. */
let last: { readonly path: string; readonly text: string; readonly parsed: Parsed } | undefined;

/** A file's syntax tree. Broken syntax gives what could be read around it. */
export function parseSource(path: string, text: string): Parsed | undefined {
  const parser = parserOf(path);
  if (parser === undefined) return undefined;
  if (last?.path !== path || last.text !== text) {
    last = { path, text, parsed: parsedBy(parser, text) };
  }
  return last.parsed;
}

function parsedBy(parser: string, text: string): Parsed {
  if (parser === "python" && !isPythonRegistered) {
    // The parser library refuses a second registration of the same language.
    registerDynamicLanguage({ python: languagePython });
    isPythonRegistered = true;
  }
  const language = parser === "python" ? "python" : "javascript";
  return { language, root: parse(parser, text).root() };
}

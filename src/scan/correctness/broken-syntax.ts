import { Script } from "node:vm";
import type { Fault, Rule } from "./rule.ts";
import { holds, type SourceView } from "./source-view.ts";

/** Dialects and templates that the parser does not know, named in the first lines. */
const DIALECT = /@flow|@noflow|\{%|<%|\$\{\{|\{\{/;
const HEAD_CHARS = 2_000;

/** A file that no parser of its language takes. Said once, where it begins. */
export const brokenSyntax: Rule = {
  kinds: ["ERROR"],
  check: (node, view) => {
    if (node.id() !== view.firstError?.id()) return [];
    if (hasConflict(view.text)) return [{ ...CONFLICT, at: node }];
    return isBroken(view) ? [{ ...BROKEN, at: node }] : [];
  },
};

const CONFLICT: Omit<Fault, "at"> = {
  priority: "P2",
  category: "broken-syntax",
  title: "A merge conflict was left in the file",
  issue: "The marks of an unfinished merge stand in the text, so it is no valid program.",
  fix: "Finish the merge.",
};

const BROKEN: Omit<Fault, "at"> = {
  priority: "P3",
  category: "broken-syntax",
  title: "The syntax breaks off here",
  issue: "The parser of this language does not understand the text from here on.",
  fix: "Check that the file loads.",
};

/**
 * Our parser lags behind the languages, so its word alone is not enough. A second one confirms
 * JavaScript; TypeScript has its compiler, and is left to it.
 */
function isBroken(view: SourceView): boolean {
  if (DIALECT.test(view.text.slice(0, HEAD_CHARS)) || view.isTypeScript) return false;
  if (view.language === "python") return !isOldPython(view);
  if (holds(view.root, "import_statement", "export_statement")) return true;
  return !compiles(view.text);
}

/** Whether the engine's own parser takes the text. It is read and thrown away, never run. */
function compiles(text: string): boolean {
  const body = text.replace(/^#![^\n]{0,500}/, "");
  try {
    new Script(`(async function () {${body}\n})`);
    return true;
  } catch {
    // It says no; why does not matter, because our parser names the place.
    return false;
  }
}

/** Python 2 is another language. */
function isOldPython({ text, root }: SourceView): boolean {
  if (holds(root, "print_statement", "exec_statement")) return true;
  return /^\s{0,200}(?:except [\w.()]{1,100}, \w{1,60}:|raise \w{1,60}, )|\b0[0-7]{1,20}L?\b[^.]|<>/m.test(
    text,
  );
}

/** Whether the marks stand in the text that `git` leaves where two changes do not fit together. */
function hasConflict(text: string): boolean {
  const start = text.search(/^<{7} /m);
  if (start < 0) return false;
  const middle = text.slice(start).search(/^={7}\r?$/m);
  return middle >= 0 && /^>{7} /m.test(text.slice(start + middle));
}

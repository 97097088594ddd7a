import { CORRECTNESS } from "../file-members.ts";
import { SourceLines } from "../kind/index.ts";
import type { FileReviewer, Found, SourceFile } from "../reviewer.ts";
import { type Language, type Node, type NodeRule, parseSource } from "../syntax/index.ts";
import type { Fault, Rule } from "./rule.ts";
import { RULES } from "./rules.ts";
import { SourceView } from "./source-view.ts";

const FILE_CHARS_MAX = 2_000_000;
/** A file with more faults than this is broken as a whole; the rest adds nothing. */
const FAULTS_MAX = 200;
const QUOTED_LINES_MAX = 6;

/**
 * The built-in reviewer of plain mistakes: code that never runs, promises that nobody waits for,
 * errors that disappear, comparisons with a fixed outcome. It judges one file at a time and never
 * asks for more than the syntax shows.
 */
export const correctness: FileReviewer = {
  ...CORRECTNESS,
  passesOver: ({ text }) =>
    text.length > FILE_CHARS_MAX ? `it is longer than ${FILE_CHARS_MAX} characters` : undefined,
  review,
};

function review(file: SourceFile): Found[] {
  const parsed = parseSource(file.path, file.text);
  if (parsed === undefined) return [];
  const { language, root } = parsed;
  const view = new SourceView(language, root, file);
  const rules = BY_KIND[language];
  const lines = new SourceLines(file);
  const found: Found[] = [];
  for (const node of root.findAll({ rule: { any: [...QUESTIONS[language]] } })) {
    for (const rule of rules.get(String(node.kind())) ?? []) {
      for (const fault of rule.check(node, view)) found.push(toFound(fault, lines));
    }
    if (found.length >= FAULTS_MAX) break;
  }
  return found;
}

/** The rules that look at each kind of node: asked for every node of every file. */
const BY_KIND = { javascript: byKind("javascript"), python: byKind("python") };

function byKind(language: Language): ReadonlyMap<string, readonly Rule[]> {
  const rules = new Map<string, Rule[]>();
  for (const rule of RULES[language]) {
    for (const kind of rule.kinds) rules.set(kind, [...(rules.get(kind) ?? []), rule]);
  }
  return rules;
}

const QUESTIONS = { javascript: questions("javascript"), python: questions("python") };

/** What the rules together ask the parser for. */
function questions(language: Language): NodeRule[] {
  return RULES[language].flatMap(({ kinds, where }) =>
    kinds.map((kind) => (where === undefined ? { kind } : { ...where, kind })),
  );
}

function toFound({ at, also, ...rest }: Fault, lines: SourceLines): Found {
  const cite = (node: Node) => {
    const { start, end } = node.range();
    return lines.cite(start.line + 1, Math.min(end.line + 1, start.line + QUOTED_LINES_MAX));
  };
  return { ...rest, citations: also ? [cite(at), cite(also)] : [cite(at)] };
}

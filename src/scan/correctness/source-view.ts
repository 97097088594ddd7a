import type { SourceFile } from "../reviewer.ts";
import type { Language, Node, NodeRule } from "../syntax/index.ts";
import { type AsyncFunctions, findAsyncFunctions } from "./async-functions.ts";
import { type FilePromises, filePromises } from "./file-promises.ts";

/** Longer texts are not compared: nobody repeats a condition of this length by mistake. */
const COMPARED_CHARS_MAX = 1_000;

const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|[._-](?:test|spec)\.\w{2,4}$|(?:^|\/)test_\w*\.py$/;

/** What the rules share over one file. */
export class SourceView {
  readonly language: Language;
  readonly root: Node;
  readonly text: string;
  /** Conditions that were judged with the chain they belong to. */
  readonly chained = new Set<number>();
  #filePromises: FilePromises | undefined;
  #hasOwnFetch: boolean | undefined;
  #firstError: Node | null | undefined;
  #asyncFunctions: AsyncFunctions | undefined;
  #commentLines: ReadonlySet<number> | undefined;

  readonly isTypeScript: boolean;
  /** A test provokes errors and drops them; there, a dropped error is no fault. */
  readonly isTest: boolean;

  constructor(language: Language, root: Node, { path, text }: SourceFile) {
    this.language = language;
    this.root = root;
    this.text = text;
    this.isTypeScript = /\.[mc]?tsx?$/.test(path);
    this.isTest = TEST.test(path);
  }

  get asyncFunctions(): AsyncFunctions {
    this.#asyncFunctions ??= findAsyncFunctions(this.root, this.language);
    return this.#asyncFunctions;
  }

  get filePromises(): FilePromises {
    this.#filePromises ??= filePromises(this.text);
    return this.#filePromises;
  }

  /** `fetch` may be the file's own name for something that gives no promise. */
  get hasOwnFetch(): boolean {
    this.#hasOwnFetch ??=
      /\b(?:function|const|let|var|import|class)\s[^;\n]{0,80}\bfetch\b|\bfetch\s?[,}=]|[,(]\s?fetch\s?[,)]/.test(
        this.text,
      );
    return this.#hasOwnFetch;
  }

  /** Where the parser first gave up; what follows it is only its echo. */
  get firstError(): Node | null {
    if (this.#firstError === undefined)
      this.#firstError = this.root.find({ rule: { kind: "ERROR" } });
    return this.#firstError;
  }

  /** A node's text where it is short enough to be compared with another one. */
  shortText(node: Node | null | undefined): string | undefined {
    if (!node) return undefined;
    const { start, end } = node.range();
    return end.index - start.index > COMPARED_CHARS_MAX ? undefined : node.text();
  }

  /** Whether somebody explains something in the lines of a node or in the line right above it. */
  isExplained(node: Node): boolean {
    const { start, end } = node.range();
    this.#commentLines ??= explainedLines(this.root);
    for (let line = start.line - 1; line <= end.line; line += 1) {
      if (this.#commentLines.has(line)) return true;
    }
    return false;
  }
}

/** Comments that only speak to a tool explain nothing to a person. */
const DIRECTIVE =
  /^[/*#\s]{0,20}(?:noqa|nosec|pragma|pylint|type:|eslint|tslint|biome-|oxlint|istanbul|c8 |v8 |jshint|jslint|@ts-|prettier-|coverage|pyright|mypy|ruff)/i;

function explainedLines(root: Node): Set<number> {
  const lines = new Set<number>();
  for (const comment of root.findAll({ rule: { kind: "comment" } })) {
    const { start, end } = comment.range();
    if (end.index - start.index < 500 && DIRECTIVE.test(comment.text())) continue;
    for (let line = start.line; line <= end.line; line += 1) lines.add(line);
  }
  return lines;
}

/** The named children of a node without comments. */
export function parts(node: Node): Node[] {
  return node.namedChildren().filter((child) => child.kind() !== "comment");
}

/** Whether a node is one of these kinds. */
export function isKind(node: Node | null | undefined, ...kinds: readonly string[]): boolean {
  return node !== null && node !== undefined && kinds.includes(String(node.kind()));
}

/** Asks for calls of methods with certain names. */
export function callsMethod(names: string): NodeRule {
  const property = { field: "property", regex: names };
  return { has: { field: "function", kind: "member_expression", has: property } };
}

/** Whether a node or anything in it is one of these kinds. */
export function holds(node: Node, ...kinds: readonly string[]): boolean {
  return node.find({ rule: { any: kinds.map((kind) => ({ kind })) } }) !== null;
}

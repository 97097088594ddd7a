import type { SgNode } from "@ast-grep/napi";
import type { Expression, Place, Statement } from "../program.ts";

/** Deeper code is not looked at: hostile nesting must not exhaust the stack. */
const DEPTH_MAX = 180;
/** More nodes than a 30,000 line file has; the rest of a larger one is not looked at. */
const NODES_MAX = 1_500_000;

export type Node = SgNode;

/** How one language is brought into the engine's form; each step sees one node. */
export interface Grammar {
  expression(node: Node, tree: Tree): Expression;
  pattern(node: Node, tree: Tree): Expression;
  statement(node: Node, tree: Tree): Statement[];
}

/** What lowering shares over one file: the text, the grammar, and the bounds on depth and size. */
export class Tree {
  readonly #text: string;
  readonly #grammar: Grammar;
  #depth = 0;
  #nodes = 0;
  #isCut = false;

  constructor(text: string, grammar: Grammar) {
    this.#text = text;
    this.#grammar = grammar;
  }

  /** Whether something was too deep, or one too many, and so was not looked at. */
  get isCut(): boolean {
    return this.#isCut;
  }

  text(node: Node): string {
    const { start, end } = node.range();
    return this.#text.slice(start.index, end.index);
  }

  place(node: Node): Place {
    const { start, end } = node.range();
    return { line: start.line + 1, endLine: end.line + 1 };
  }

  /** The named children without comments. */
  named(node: Node): Node[] {
    return node.children().filter((child) => child.isNamed() && child.kind() !== "comment");
  }

  expression(node: Node | null | undefined): Expression {
    if (!node) return NOWHERE;
    return this.#within(() => this.#grammar.expression(node, this), NOWHERE);
  }

  /** The first named child as an expression: for what only wraps it. */
  inner(node: Node): Expression {
    return this.expression(this.named(node)[0]);
  }

  pattern(node: Node | null | undefined): Expression {
    if (!node) return NOWHERE;
    return this.#within(() => this.#grammar.pattern(node, this), NOWHERE);
  }

  statement(node: Node | null | undefined): Statement[] {
    if (!node) return [];
    return this.#within(() => this.#grammar.statement(node, this), []);
  }

  statements(nodes: readonly Node[]): Statement[] {
    return nodes.flatMap((node) => this.statement(node));
  }

  #within<T>(step: () => T, otherwise: T): T {
    this.#nodes += 1;
    if (this.#depth >= DEPTH_MAX || this.#nodes > NODES_MAX) {
      this.#isCut = true;
      return otherwise;
    }
    this.#depth += 1;
    const result = step();
    this.#depth -= 1;
    return result;
  }
}

const NOWHERE: Expression = { kind: "other", parts: [], at: { line: 1, endLine: 1 } };

export const asStatement = (value: Expression): Statement => ({
  kind: "expression",
  value,
  at: value.at,
});

export const declaration = (target: Expression, value: Expression, at: Place): Expression => ({
  kind: "assign",
  target,
  value,
  adds: false,
  declares: true,
  at,
});

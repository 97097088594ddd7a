import type { Node, NodeRule } from "../syntax/index.ts";
import type { SourceView } from "./source-view.ts";

/** What a rule has to say about one place. */
export interface Fault {
  readonly at: Node;
  /** The other place that belongs to it: the first of two equal conditions. */
  readonly also?: Node;
  /** P2 where the code cannot mean what it says, P3 where it probably does not. */
  readonly priority: "P2" | "P3";
  readonly category: string;
  readonly title: string;
  readonly issue: string;
  readonly fix: string;
}

/** One rule of the reviewer; it is shown each node of its kinds, in the order of the text. */
export interface Rule {
  readonly kinds: readonly string[];
  /**
   * What the parser's own search asks of a node first. It may let through too much, never too
   * little; it is there because showing a node to JavaScript costs far more than passing it over.
   */
  readonly where?: NodeRule;
  check(node: Node, view: SourceView): Fault[];
}

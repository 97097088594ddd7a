export { type Language, type Node, type NodeRule, parseSource } from "./parse-source.ts";

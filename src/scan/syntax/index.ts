export { isReadable, type Language, type Node, parseSource } from "./parse-source.ts";

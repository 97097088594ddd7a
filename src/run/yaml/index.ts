import { createRequire } from "node:module";

/** The parser for YAML, loaded when there is something to read: it is large, and most commands find no such file. */
export function yamlParser(): typeof import("yaml") {
  return createRequire(import.meta.url)("yaml");
}

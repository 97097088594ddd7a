/** Whose grammar reads a file, by the ending of its name. */
const GRAMMARS: ReadonlyMap<string, Grammar> = new Map([
  ["js", "javascript"],
  ["cjs", "javascript"],
  ["mjs", "javascript"],
  ["jsx", "javascript"],
  ["ts", "typescript"],
  ["mts", "typescript"],
  ["cts", "typescript"],
  ["tsx", "tsx"],
  ["py", "python"],
]);

export type Grammar = "javascript" | "typescript" | "tsx" | "python";

/** The languages whose code is read, as files are told apart by `fileKind`. */
export const LANGUAGES_READ: ReadonlySet<string> = new Set(["typescript", "javascript", "python"]);

export function grammarOf(path: string): Grammar | undefined {
  return GRAMMARS.get(/\.([a-z]+)$/.exec(path)?.[1] ?? "");
}

/** Whether a path's ending names a language that can be read. */
export function isReadable(path: string): boolean {
  return grammarOf(path) !== undefined && !/\.d\.[mc]?ts$/.test(path);
}

import { posix } from "node:path";
import type { SourceFile } from "../reviewer.ts";

const IMPORTS_MAX = 2_000;
const CLAUSE_CHARS_MAX = 2_000;
const SEGMENT_CHARS_MAX = 3_000;
const ENDINGS = ["", ".ts", ".tsx", ".mts", ".cts", ".d.ts", "/index.ts", "/index.tsx"];

/** Where a type is computed from others; a missing one among them makes the result anything. */
const COMPUTED =
  /\b(?:type\s{1,4}[\w$]{1,100}|extends|implements|keyof|typeof|satisfies|(?:ReturnType|Parameters|Awaited|Omit|Pick|Partial|Required|Readonly|Extract|Exclude|Record|InstanceType|NonNullable|ConstructorParameters)<)/g;

/**
 * The files in which types are computed from modules or names that are not in the tree, and all
 * that import them. What the compiler says there of such types may be the fault of what is missing:
 * `any` goes through a plain variable unharmed, but not through `Omit` or `keyof`.
 */
export function filesOnMissingTypes(
  files: ReadonlyMap<string, SourceFile>,
  missingNames: ReadonlySet<string>,
): Set<string> {
  const importers = new Map<string, string[]>();
  const open: string[] = [];
  for (const file of files.values()) {
    const { inTree, missing } = importsOf(file, files);
    for (const target of inTree)
      importers.set(target, [...(importers.get(target) ?? []), file.path]);
    if (computesWith(file.text, new Set([...missing, ...missingNames]))) open.push(file.path);
  }
  return reachedFrom(open, importers);
}

function reachedFrom(
  start: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const reached = new Set(start);
  // A set that grows while it is walked is walked to its end.
  for (const path of reached) for (const one of importers.get(path) ?? []) reached.add(one);
  return reached;
}

/** What a file imports: files of the tree, and names from what is not in it. */
function importsOf(
  { path, text }: SourceFile,
  files: ReadonlyMap<string, SourceFile>,
): { readonly inTree: Set<string>; readonly missing: Set<string> } {
  const inTree = new Set<string>();
  const missing = new Set<string>();
  let count = 0;
  for (const match of text.matchAll(/\b(?:from|import)[\s(]{0,4}["']([^"'\n]{1,300})["']/g)) {
    count += 1;
    if (count > IMPORTS_MAX) break;
    const target = resolve(path, match[1] ?? "", files);
    if (target !== undefined) inTree.add(target);
    else for (const name of namesBefore(text, match.index)) missing.add(name);
  }
  return { inTree, missing };
}

function resolve(
  from: string,
  specifier: string,
  files: ReadonlyMap<string, SourceFile>,
): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const plain = posix.join(posix.dirname(from), specifier);
  const bases = [plain, plain.replace(/\.([mc]?)js(x?)$/, ".$1ts$2"), plain.replace(/\.jsx?$/, "")];
  return bases.flatMap((base) => ENDINGS.map((end) => base + end)).find((one) => files.has(one));
}

function namesBefore(text: string, at: number): string[] {
  const before = text.slice(Math.max(0, at - CLAUSE_CHARS_MAX), at);
  const clause = before.slice(Math.max(before.lastIndexOf("import"), before.lastIndexOf(";"), 0));
  const names: string[] = clause.match(/[A-Za-z_$][\w$]*/g) ?? [];
  return names.filter((name) => !/^(?:import|type|as|from|export|typeof)$/.test(name));
}

function computesWith(text: string, missing: ReadonlySet<string>): boolean {
  if (missing.size === 0) return false;
  let done = 0;
  for (const { index } of text.matchAll(COMPUTED)) {
    // A type's parts stand before the first blank line; each stretch is looked at once.
    const from = Math.max(index, done);
    const blank = text.indexOf("\n\n", index);
    const end = Math.min(blank < 0 ? text.length : blank, index + SEGMENT_CHARS_MAX);
    const names = text.slice(from, end).match(/[A-Za-z_$][\w$]*/g) ?? [];
    if (names.some((name) => missing.has(name))) return true;
    done = Math.max(done, end);
  }
  return false;
}

/** Types that the tree adds something to while the module that has them is missing. */
export function augmentedTypes(files: Iterable<SourceFile>): Set<string> {
  const names = new Set<string>();
  for (const { text } of files) {
    if (!/\bdeclare\s{1,4}(?:module\s{0,4}["'][^."']|global\b)/.test(text)) continue;
    for (const match of text.matchAll(/\b(?:interface|class)\s{1,4}([\w$]{1,100})/g)) {
      names.add(match[1] ?? "");
    }
  }
  return names;
}

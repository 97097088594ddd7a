import { SourceLines } from "../kind/index.ts";
import type { SourceFile } from "../reviewer.ts";
import { LINE_CHARS_MAX, type Locked, type Lockfile, type Source, sourceOf } from "./lockfile.ts";

/**
 * Reads pnpm's lockfile line by line, as pnpm writes it. It is never loaded as YAML: no alias, tag
 * or depth in it has any effect.
 */
export function readPnpmLock(file: SourceFile): Lockfile {
  const lines = new SourceLines(file);
  const entries: Entry[] = [];
  let isInside = false;
  for (let line = 1; line <= lines.count; line += 1) {
    const text = lines.textOf(line).slice(0, LINE_CHARS_MAX).trimEnd();
    const indent = text.search(/[^ ]/);
    if (indent === 0) isInside = text === "packages:";
    if (!isInside || indent <= 0) continue;
    const last = entries.at(-1);
    if (indent === 2)
      entries.push({ line, key: text.trim().replace(/:(?: \{\})?$/, ""), rest: "" });
    else if (last && last.rest.length < LINE_CHARS_MAX) last.rest += `${text.trim()}\n`;
  }
  const packages = entries.flatMap((one) => toLocked(one) ?? []);
  return { path: file.path, lines, ecosystem: "npm", packages, namesRanges: false };
}

interface Entry {
  readonly line: number;
  readonly key: string;
  /** The lines below the key. */
  rest: string;
}

function toLocked(entry: Entry): Locked | undefined {
  const key = entry.key
    .replace(/^['"]|['"]$/g, "")
    .replace(/^\//, "")
    .replace(/\(.*$/, "");
  // The oldest form separates name and version by a slash.
  const cut = key.indexOf("@", 1) > 0 ? key.indexOf("@", 1) : key.lastIndexOf("/");
  const name = key.slice(0, Math.max(0, cut));
  if (name === "") return undefined;
  const version = key.slice(cut + 1);
  return {
    name,
    version,
    line: entry.line,
    asked: [],
    hasHash: /\bintegrity: ?\S/.test(entry.rest) || /\bcommit: [0-9a-f]{40}/.test(entry.rest),
    source: pnpmSource(version, entry.rest),
    runsScript: /^requiresBuild: true$/m.test(entry.rest),
  };
}

function pnpmSource(version: string, rest: string): Source {
  if (/\btype: git\b/.test(rest)) return { kind: "git" };
  const tarball = /\btarball: ?['"]?([^\s,}'"]{1,1000})/.exec(rest)?.[1];
  if (tarball !== undefined) return sourceOf(tarball);
  if (/^(?:https?|git|ssh|file|link):?/.test(version)) return sourceOf(version);
  return { kind: "registry", host: "" };
}

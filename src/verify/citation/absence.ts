import type { Absence, Finding } from "../../schema/finding.ts";
import { shown } from "./check-citation.ts";
import { normalizePath } from "./cited-path.ts";
import type { ReadEntry, SourceCache } from "./source-cache.ts";

/** What the search for something said to be absent gave. */
export type Searched =
  | { readonly state: "found"; readonly file: string; readonly line: number }
  | { readonly state: "absent"; readonly files: number }
  | { readonly state: "unknown"; readonly why: string };

/** Runs the search that a claim of absence rests on, in every file it names. */
export async function searchAbsence(absence: Absence, cache: SourceCache): Promise<Searched> {
  const paths = await cache.paths();
  const scope = absence.within.map((one) => scopeOf(one, paths));
  const empty = scope.find(({ files }) => files.length === 0);
  // A search through nothing finds nothing, and proves as much.
  if (empty !== undefined) {
    return { state: "unknown", why: `there is nothing under ${shown(empty.written)} to search` };
  }
  const files = scope.length === 0 ? paths : [...new Set(scope.flatMap((one) => one.files))];
  if (files.length === 0) return { state: "unknown", why: "there are no files to search" };
  return searchFiles(absence.text.replaceAll("\r\n", "\n"), files, cache);
}

function scopeOf(written: string, paths: readonly string[]) {
  if (/^[./]*$/.test(written) && normalizePath(written) === undefined && !written.includes("..")) {
    return { written, files: paths };
  }
  const path = normalizePath(written.replace(/\/\*\*?$/, ""));
  const files = paths.filter((one) => one === path || one.startsWith(`${path}/`));
  return { written, files: path === undefined ? [] : files };
}

async function searchFiles(
  text: string,
  files: readonly string[],
  cache: SourceCache,
): Promise<Searched> {
  let doubt: string | undefined;
  for await (const [file, entry] of cache.each(files)) {
    const line = lineWith(entry, text);
    if (line !== undefined) return { state: "found", file, line };
    doubt ??= doubtIn(file, entry, text);
  }
  return doubt === undefined
    ? { state: "absent", files: files.length }
    : { state: "unknown", why: doubt };
}

/** A text that a blank more keeps from being found is not absent for that. */
function doubtIn(file: string, entry: ReadEntry, text: string): string | undefined {
  if (isUnread(entry)) return `${shown(file)} was not searched`;
  if (entry.kind !== "text") return undefined;
  const { plain } = entry.source;
  const [similar] = plain.squeezed(text, 1);
  if (similar === undefined) return undefined;
  return `${shown(file)} has it at line ${plain.lineAt(similar.start)} with other white space`;
}

/** A link's target is no source text. Everything else that was not looked into may hold it. */
function isUnread({ kind }: ReadEntry): boolean {
  return kind !== "text" && kind !== "binary" && kind !== "link";
}

function lineWith(entry: ReadEntry, text: string): number | undefined {
  if (entry.kind === "text") {
    const { plain } = entry.source;
    const [found] = plain.exact(text, 1);
    return found && plain.lineAt(found.start);
  }
  if (entry.kind !== "binary") return undefined;
  const bytes = Buffer.from(entry.bytes.buffer, entry.bytes.byteOffset, entry.bytes.byteLength);
  // Text in two-byte characters counts as binary, and is still text.
  const isThere = bytes.includes(text, 0, "utf8") || bytes.includes(text, 0, "utf16le");
  return isThere ? 1 : undefined;
}

/** One of these is in all of what follows, and in few findings. */
const MAYBE_NOWHERE =
  /\b(?:nowhere|anywhere|never|tests?|callers?|usages?|references?|code ?base|repository|project)\b/i;

/** Words that claim something about all the code, which no single quote can show. */
const NOWHERE = [
  /\bnowhere\b/i,
  /(?:\b(?:no|not|never)\b|n['’]t\b)(?:[^.;\n]|\.(?=\S)){0,80}\banywhere\b/i,
  /\b(?:is|are|was|were) never (?:called|used|imported|referenced|tested|invoked|read)\b/i,
  /\bno (?:unit |integration )?(?:tests?|callers?|usages?|references?) (?:for|of|to|in|cover|exists?)\b/i,
  /\bthere (?:is|are) no (?:unit |integration )?(?:tests?|callers?|usages?|references?)\b/i,
  /\b(?:no|not|missing)\b[^.;\n]{0,80}\bin the (?:entire |whole )?(?:code ?base|repository|project)\b/i,
];

/** Whether a finding says that something is nowhere. */
export function claimsAbsence({ title, issue }: Finding): boolean {
  const prose = `${title}\n${issue ?? ""}`;
  return MAYBE_NOWHERE.test(prose) && NOWHERE.some((pattern) => pattern.test(prose));
}

import { isNameLike } from "./name-like.ts";

/** What an info string says: the language, and names of files. One is the block's, several are none. */
export interface Info {
  readonly language: string;
  readonly names: readonly string[];
  /** Set where the block is lines of a file and not the file. */
  readonly excerpt?: string;
}

const CHARS_MAX = 2_000;
/** Keys that say that a name follows; a title is one only where it looks like it. */
const PAIR =
  /(?:^|[\s{,])(path|file|filename|filepath|file_path|name|title)\s?[=:]\s?("[^"]*"|'[^']*'|[^\s,}"']+)/gi;

/** Reads an info string: `ts path=src/a.ts`, `src/a.ts`, `ts title="a.ts"`, `ts:src/a.ts`, `ts src/a.ts`. */
export function readInfo(info: string): Info {
  if (info === "" || info.length > CHARS_MAX) return { language: "", names: [] };
  const [first = "", second = ""] = info.split(/\s+/, 2);
  const cited = /^(\d+)[:-](\d+):/.exec(first);
  if (cited !== null) {
    return { language: "", names: [], excerpt: `lines ${cited[1]} to ${cited[2]} of a file` };
  }
  const glued = /^[A-Za-z0-9_+#.-]*:(.+)$/.exec(first)?.[1] ?? "";
  const own = isNameLike(glued) ? glued : first;
  // `dockerfile` and `makefile` are languages here; a name has a dot or a folder.
  const words = [own, second].filter((word) => /[./]/.test(word) && isNameLike(word));
  const isName = words.includes(first);
  return {
    language: isName ? "" : languageOf(first),
    names: [...new Set([...pairsIn(info), ...words])],
  };
}

function pairsIn(info: string): string[] {
  return [...info.matchAll(PAIR)].flatMap(([, key = "", value = ""]) => {
    const name = unquoted(value);
    return !/^(?:title|name)$/i.test(key) || isNameLike(name) ? [name] : [];
  });
}

function languageOf(word: string): string {
  return (/^[A-Za-z0-9_+#.-]*/.exec(word)?.[0] ?? "").toLowerCase();
}

function unquoted(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}

const PATTERN_CHARS_MAX = 1_000;

/**
 * A word with wildcards, folder by folder. An agent chooses such words as well as the paths: an expression
 * made of them could take as long as they like.
 */
export function fitsPattern(one: string, path: string): boolean {
  if (!/[*?{[]/.test(one) || one.length > PATTERN_CHARS_MAX) return false;
  const parts = one
    .replaceAll(/\{[^{}]*\}|\[[^\]]*\]/g, (any) => (any.includes("/") ? "**" : "*"))
    .split("/");
  let open = withAnyFolders([0], parts);
  for (const name of path.split("/")) {
    const next = [...open].flatMap((at) => {
      const part = parts[at];
      if (part === "**") return [at];
      return part !== undefined && isNamed(part, name) ? [at + 1] : [];
    });
    open = withAnyFolders(next, parts);
  }
  return open.has(parts.length);
}

/** `**` stands for no folder too. */
function withAnyFolders(places: readonly number[], parts: readonly string[]): Set<number> {
  const open = new Set(places);
  for (const at of open) if (parts[at] === "**") open.add(at + 1);
  return open;
}

/** Where it does not fit, the last `*` is made to stand for one letter more. */
function isNamed(part: string, name: string): boolean {
  let [at, star, from] = [0, -1, 0];
  for (let letter = 0; letter < name.length; ) {
    if (part[at] === "*") {
      star = at;
      at += 1;
      from = letter;
    } else if (at < part.length && (part[at] === "?" || part[at] === name[letter])) {
      at += 1;
      letter += 1;
    } else if (star >= 0) {
      from += 1;
      letter = from;
      at = star + 1;
    } else return false;
  }
  return /^\**$/.test(part.slice(at));
}

const LINES_MAX = 10_000;
const ENTRY = /^((?:[A-Za-z0-9_.-]|"[^"]*")+)\s*=\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/;

/**
 * The settings of a TOML file whose values are plain strings on one line, by their whole dotted
 * name. What is written in another way is left out: here that means one registry less, never one
 * more.
 */
export function parseTomlStrings(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let table = "";
  for (const raw of text.split(/\r?\n/, LINES_MAX)) {
    const line = raw.trim();
    const heading = /^\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (heading !== undefined) {
      table = `${plainKey(heading)}.`;
      continue;
    }
    const [, key, basic, literal] = ENTRY.exec(line) ?? [];
    if (key !== undefined) found.set(`${table}${plainKey(key)}`, basic ?? literal ?? "");
  }
  return found;
}

function plainKey(key: string): string {
  return key
    .split(".")
    .map((part) => part.trim().replaceAll('"', ""))
    .join(".");
}

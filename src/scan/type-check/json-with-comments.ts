import { parseJson } from "../../base/index.ts";

const TEXT_CHARS_MAX = 200_000;
const TOKEN = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\/\/[^\n]*|\/\*|[^"/]+|\//g;

/**
 * Reads JSON in which comments and commas before a closing bracket are allowed, as compilers do in
 * their configuration. Gives undefined for what is not even that.
 */
export function parseJsonWithComments(text: string): unknown {
  if (text.length > TEXT_CHARS_MAX) return undefined;
  try {
    return parseJson(
      withoutTrailingCommas(withoutComments(text.replace(/^\uFEFF/, ""))),
      TEXT_CHARS_MAX,
    );
  } catch {
    // Somebody's broken configuration is no reason to stop; the defaults hold.
    return undefined;
  }
}

function withoutComments(text: string): string {
  const kept: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [token] = match;
    if (token === "/*") {
      const end = text.indexOf("*/", TOKEN.lastIndex);
      TOKEN.lastIndex = end < 0 ? text.length : end + 2;
    } else if (!token.startsWith("//")) kept.push(token);
  }
  return kept.join("");
}

function withoutTrailingCommas(text: string): string {
  return text.replace(
    /("[^"\\\n]*(?:\\.[^"\\\n]*)*")|,(?=\s{0,1000}[}\]])/g,
    (_, quoted) => quoted ?? "",
  );
}

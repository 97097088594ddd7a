const FILE_CHARS_MAX = 4_096;
const ENDING = /[^/\\]\.[A-Za-z][A-Za-z0-9_+-]{0,15}$/;
/** Endings that are a file's even in a name without a folder or a line; `res.send` is none. */
const KNOWN_ENDING =
  /\.(?:tsx?|jsx?|[mc][jt]s|py|rb|go|rs|java|kts?|[ch]|cc|cpp|hpp|cs|php|swift|scala|sh|bash|zsh|sql|html?|s?css|less|vue|svelte|json[cl5]?|ya?ml|toml|mdx?|txt|xml|proto|graphql|tf|ini|cfg|conf|env|lock|gradle|dart|exs?|erl|hs|lua|pl|r|jl|csv|ipynb|rst|sol|zig|bat|ps1)$/i;
const NAMES =
  "(?:GNU)?makefile|dockerfile|containerfile|jenkinsfile|procfile|gemfile|rakefile|vagrantfile|justfile|license|readme|changelog|codeowners|build|workspace|authors|notice";
const KNOWN_NAME = new RegExp(`^(?:\\.[a-z][\\w.-]*|${NAMES})$`, "i");

/**
 * Whether text can be the name of a file. Prose is full of words with dots and slashes, so that it
 * takes more to be one where nothing around it says so.
 */
export function isPathLike(
  text: string,
  { isNamed, hasLine }: { readonly isNamed: boolean; readonly hasLine: boolean },
): boolean {
  if (text === "" || text.length > FILE_CHARS_MAX || isNoPath(text)) return false;
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  const hasFolder = name !== text && name !== "";
  if (KNOWN_ENDING.test(name) || (hasFolder && KNOWN_NAME.test(name))) return true;
  if (/\s/.test(text)) return false;
  if (isNamed) return hasLine || hasFolder || ENDING.test(name) || KNOWN_NAME.test(name);
  if (!hasLine) return hasFolder && ENDING.test(text);
  return hasFolder || ENDING.test(text) || KNOWN_NAME.test(name);
}

/** Whether the name alone tells a file: `db.internal:5432` and `store.backup` do not. */
export function hasFileEnding(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return KNOWN_ENDING.test(name) || (name !== path && (KNOWN_NAME.test(name) || ENDING.test(path)));
}

/** Addresses, code and text over several lines. */
function isNoPath(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name of a report has them.
  return /[\u0000-\u001f]|:\/\/|[=<>;|"]|^[-+*/#:.,]+$|^\d+$/.test(text) || /\)$|^[({]/.test(text);
}

import { join } from "node:path";
import { decodeUtf8, messageOf, readPlainFile, SwornError } from "../base/index.ts";
import { yamlParser } from "../run/yaml/index.ts";
import { Config } from "../schema/config.ts";
import { issueWords } from "./words/issue-words.ts";

/** What the file is called, at the top of the work tree. */
export const CONFIG_NAME = "sworn.yaml";
const CONFIG_BYTES_MAX = 262_144;
/** An alias repeats a part of the file; a chain of them can repeat it without end. */
const ALIASES_MAX = 100;
/** A collection can hold another one; the parser calls itself for each. */
const DEPTH_MAX = 200;

/** The text that was parsed last: a session reads its configuration again and again, in case it changed. */
let parsedLast: { readonly text: string; readonly config: Config } | undefined;

/**
 * Reads the project's configuration from the user's work tree; one that does not exist says nothing.
 * Everything unknown in it is an error: a misspelt setting would otherwise be no setting.
 *
 * @throws SwornError `INPUT_INVALID` or `LIMIT_EXCEEDED`, naming the place.
 */
export function readConfig(root: string): Config {
  const text = textOf(join(root, CONFIG_NAME));
  return text === undefined ? {} : parseConfig(text);
}

/** The same for a text that was read elsewhere, such as from a commit. */
export function parseConfig(text: string): Config {
  if (parsedLast?.text !== text) parsedLast = { text, config: parse(text) };
  // Whoever changes what was handed out changes a copy.
  return structuredClone(parsedLast.config);
}

function parse(text: string): Config {
  if (Buffer.byteLength(text) > CONFIG_BYTES_MAX) {
    const message = `${CONFIG_NAME} has more than ${CONFIG_BYTES_MAX} bytes`;
    throw new SwornError("LIMIT_EXCEEDED", message);
  }
  const value = parseYaml(text, CONFIG_NAME);
  // An empty file, or one of comments, is a configuration that settles nothing.
  if (value === null || value === undefined) return {};
  const parsed = Config.safeParse(value);
  if (!parsed.success) {
    const wrong = issueWords(parsed.error.issues, { shape: Config, input: value });
    throw new SwornError("INPUT_INVALID", `${CONFIG_NAME}: ${wrong}`);
  }
  assertApart(parsed.data);
  return parsed.data;
}

function textOf(path: string): string | undefined {
  try {
    return decodeUtf8(readPlainFile(path, CONFIG_BYTES_MAX, "refuse"));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT") return undefined;
    const why = code === "ELOOP" ? "it is a link, which is not followed" : messageOf(cause);
    const wrong = cause instanceof SwornError ? cause.code : "INPUT_INVALID";
    throw new SwornError(wrong, `${CONFIG_NAME} cannot be read: ${why}`, { cause });
  }
}

/**
 * Parses YAML that somebody else wrote, bounded in depth and repetition.
 *
 * @throws SwornError `INPUT_INVALID` or `LIMIT_EXCEEDED`, naming the file and the place.
 */
export function parseYaml(text: string, name: string): unknown {
  if (deepest(text) > DEPTH_MAX) {
    const message = `${name} nests deeper than ${DEPTH_MAX}; nothing in it needs that`;
    throw new SwornError("LIMIT_EXCEEDED", message);
  }
  const { LineCounter, parseDocument } = yamlParser();
  const lines = new LineCounter();
  // Without the lines around each error: a line of a thousand errors would be copied as often.
  const options = { lineCounter: lines, logLevel: "silent", prettyErrors: false } as const;
  const document = parseDocument(text, options);
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined) {
    const { line, col } = lines.linePos(wrong.pos[0]);
    const what = wrong.message.split("\n", 1)[0]?.replace(/ at line \d+, column \d+:?$/, "");
    throw new SwornError("INPUT_INVALID", `${name}, line ${line}, column ${col}: ${what}`);
  }
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (cause) {
    throw new SwornError("LIMIT_EXCEEDED", `${name}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * YAML that was parsed before with more members in it; its comments and its order stay. JSON stays JSON.
 *
 * @param more the whole value; a member of a member is put beside those that are there
 */
export function completeYaml(text: string, more: Readonly<Record<string, unknown>>): string {
  if (/^\s*\{/.test(text)) return `${JSON.stringify(more, undefined, 2)}\n`;
  const document = yamlParser().parseDocument(text, { logLevel: "silent" });
  const add = (path: readonly string[], value: unknown): void => {
    if (!document.hasIn(path)) document.setIn(path, value);
    else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) add([...path, name], inner);
    }
  };
  for (const [name, value] of Object.entries(more)) add([name], value);
  return document.toString({ lineWidth: 0 });
}

/** How deep it may nest at most: by brackets, quoted ones too, or by what stands before a line's text. */
function deepest(text: string): number {
  let [open, most] = [0, 0];
  for (const [mark] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (mark === "[" || mark === "{" ? 1 : -1));
    most = Math.max(most, open);
  }
  for (const [indent] of text.matchAll(/^[ \-?:]+/gm)) most = Math.max(most, indent.length);
  return most;
}

function assertApart({ workflows = [], ci }: Config): void {
  const checks = (ci?.checks ?? []).map(({ name }) => name);
  const twice = checks.find((name, at) => checks.indexOf(name) !== at);
  if (twice !== undefined) {
    const message = `${CONFIG_NAME}: the check ${twice} is declared twice; give one another name`;
    throw new SwornError("INPUT_INVALID", message);
  }
  const seen = new Set<string>();
  for (const { name } of workflows) {
    if (seen.has(name)) {
      const message = `${CONFIG_NAME}: the workflow ${name} is declared twice; give one another name`;
      throw new SwornError("INPUT_INVALID", message);
    }
    seen.add(name);
  }
}

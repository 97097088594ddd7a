import { type Node, parseSource } from "../syntax/index.ts";
import { kindOf, partsOf, Reading } from "./reading.ts";

/** A file of settings as paths with their values: `test.exclude` with each of its elements. */
export type Settings = ReadonlyMap<string, readonly string[]>;

const DEPTH_MAX = 20;
const SETTINGS_MAX = 20_000;

/** Reads settings; undefined where the file is not in the form that its name promises. */
export function readSettings(path: string, text: string): Settings | undefined {
  if (/\.(?:ini|cfg|toml)$|(?:^|\/)\.coveragerc$/.test(path)) return readSections(text);
  if (/\.json$|(?:^|\/)\.(?:nycrc|c8rc|mocharc)$/.test(path)) return readJson(text);
  const parsed = parseSource(path, text);
  if (parsed === undefined || parsed.root.find({ rule: { kind: "ERROR" } })) return undefined;
  const found = new Map<string, string[]>();
  const reading = new Reading();
  if (parsed.language === "python") addAssignments(parsed.root, found, reading);
  else addPairs(parsed.root, [], found, reading);
  return found;
}

function readJson(text: string): Settings | undefined {
  const found = new Map<string, string[]>();
  try {
    addValue(JSON.parse(text), [], found);
    return found;
  } catch {
    // Not JSON: whoever asked says that it was not judged.
    return undefined;
  }
}

function addValue(value: unknown, path: readonly string[], found: Map<string, string[]>): void {
  if (path.length > DEPTH_MAX || found.size > SETTINGS_MAX) return;
  if (Array.isArray(value)) {
    found.set(
      path.join("."),
      value.map((one) => (typeof one === "string" ? one : JSON.stringify(one))),
    );
  } else if (typeof value === "object" && value !== null) {
    for (const [key, one] of Object.entries(value)) addValue(one, [...path, key], found);
  } else found.set(path.join("."), [String(value)]);
}

/** All pairs of all objects of a program, under the names of the objects around them. */
function addPairs(
  node: Node,
  path: readonly string[],
  found: Map<string, string[]>,
  reading: Reading,
): void {
  reading.enter(path.length);
  if (kindOf(node) !== "pair") {
    for (const child of partsOf(node)) addPairs(child, path, found, reading);
    return;
  }
  const [key, value] = [node.field("key"), node.field("value")];
  const name = (key?.text() ?? "").replace(/^["']|["']$/g, "");
  const own = [...path, name];
  if (kindOf(value) === "array") {
    found.set(
      own.join("."),
      partsOf(value).map((one) => bare(reading.normal(one))),
    );
  } else if (
    value &&
    /^(?:number|string|true|false|template_string|regex|identifier)$/.test(kindOf(value))
  ) {
    found.set(own.join("."), [bare(reading.normal(value))]);
  }
  if (value) addPairs(value, own, found, reading);
}

/** `collect_ignore = ["x.py"]`, and which functions are hooks of pytest. */
function addAssignments(root: Node, found: Map<string, string[]>, reading: Reading): void {
  for (const statement of partsOf(root)) {
    const [inner] = partsOf(statement);
    if (/^(?:augmented_)?assignment$/.test(kindOf(inner))) addAssigned(inner, found, reading);
    const defined =
      kindOf(statement) === "decorated_definition" ? statement.field("definition") : statement;
    if (kindOf(defined) !== "function_definition") continue;
    const name = defined?.field("name")?.text() ?? "";
    if (name.startsWith("pytest_")) found.set(`hook.${name}`, [reading.normal(defined)]);
  }
}

function addAssigned(node: Node | undefined, found: Map<string, string[]>, reading: Reading): void {
  const right = node?.field("right");
  const values = kindOf(right) === "list" ? partsOf(right) : right ? [right] : [];
  const name = node?.field("left")?.text() ?? "";
  const known = found.get(name) ?? [];
  known.push(...values.map((one) => bare(reading.normal(one))));
  found.set(name, known);
}

function bare(text: string): string {
  return text.replace(/^["'`]|["'`]$/g, "");
}

/** Sections, keys and values of an INI or TOML file, line by line; a value may go on in the next lines. */
function readSections(text: string): Settings {
  const found = new Map<string, string[]>();
  let section = "";
  let key = "";
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.slice(0, 5_000).trim();
    if (trimmed === "" || /^[#;]/.test(trimmed)) continue;
    const [, header] = /^\[{1,2}([^[\]"']{1,200})\]{1,2}$/.exec(trimmed) ?? [];
    if (header !== undefined) [section, key] = [header.trim(), ""];
    else key = addLine(line, trimmed, { section, key }, found);
  }
  return found;
}

/** Adds what a line says to its setting, and gives that setting's path. */
function addLine(
  line: string,
  trimmed: string,
  { section, key }: { readonly section: string; readonly key: string },
  found: Map<string, string[]>,
): string {
  const pair = /^([A-Za-z][\w.-]{0,100})\s{0,20}=\s{0,20}(.*)$/.exec(trimmed);
  const isNew = pair !== null && !/^\s/.test(line);
  const name = isNew ? `${section}.${pair[1]}` : key;
  if (name === "" || found.size > SETTINGS_MAX) return name;
  const values = found.get(name) ?? [];
  values.push(...elements(isNew ? (pair[2] ?? "") : trimmed));
  found.set(name, values);
  return name;
}

function elements(value: string): string[] {
  // In an INI file, quotation marks inside of a value belong to it.
  if (!/^["'[]/.test(value)) return /^\]*$/.test(value) ? [] : [value];
  const quoted = [...value.matchAll(/"([^"]{0,1000})"|'([^']{0,1000})'/g)];
  if (quoted.length > 0) return quoted.map((match) => match[1] ?? match[2] ?? "");
  return /^[[\]]*$/.test(value) ? [] : [value];
}

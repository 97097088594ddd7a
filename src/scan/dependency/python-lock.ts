import { SourceLines } from "../kind/index.ts";
import type { SourceFile } from "../reviewer.ts";
import { LINE_CHARS_MAX, type Locked, type Lockfile, type Source, sourceOf } from "./lockfile.ts";
import { membersOf, readJson } from "./manifest.ts";

/** Names of Python packages are one name in many spellings. */
export function pythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]{1,20}/g, "-");
}

interface Block {
  readonly line: number;
  readonly values: Map<string, string>;
  hasHash: boolean;
}

/** Reads the lockfiles of poetry and uv, which are blocks of lines that each describe one package. */
export function readTomlLock(file: SourceFile): Lockfile {
  const lines = new SourceLines(file);
  const reading = new TomlReading();
  for (let line = 1; line <= lines.count; line += 1) {
    reading.add(lines.textOf(line).slice(0, LINE_CHARS_MAX), line);
  }
  const packages = reading.blocks.flatMap((one) => toLocked(one, reading.hashed) ?? []);
  return { path: file.path, lines, ecosystem: "python", packages, namesRanges: false };
}

class TomlReading {
  readonly blocks: Block[] = [];
  /** Packages whose hashes stand at the end of the file, as older versions wrote them. */
  readonly hashed = new Set<string>();
  #table = "";
  #listed = "";

  add(text: string, line: number): void {
    const header = /^\[{1,2}([\w.-]{1,100})\]{1,2}$/.exec(text.trim());
    if (header) {
      this.#table = header[1] ?? "";
      if (text.startsWith("[[package]]")) {
        this.blocks.push({ line, values: new Map(), hasHash: false });
      }
      return;
    }
    const pair = /^"?([\w.-]{1,100})"? = (.{0,2000})/.exec(text);
    if (this.#table === "metadata.files") {
      if (pair) this.#listed = pythonName(pair[1] ?? "");
      if (text.includes("hash = ")) this.hashed.add(this.#listed);
    } else if (this.#table.startsWith("package")) this.#addValue(text, pair);
  }

  #addValue(text: string, pair: RegExpExecArray | null): void {
    const block = this.blocks.at(-1);
    if (!block) return;
    if (/\bhash = "/.test(text)) block.hasHash = true;
    if (pair && (this.#table === "package" || this.#table === "package.source")) {
      block.values.set(`${this.#table}.${pair[1]}`, (pair[2] ?? "").trim());
    }
  }
}

function toLocked(
  { line, values, hasHash }: Block,
  hashed: ReadonlySet<string>,
): Locked | undefined {
  const word = (key: string) => /^"([^"]{0,1000})"/.exec(values.get(key) ?? "")?.[1] ?? "";
  const name = pythonName(word("package.name"));
  if (name === "") return undefined;
  return {
    name,
    version: word("package.version"),
    line,
    asked: [],
    hasHash: hasHash || hashed.has(name),
    source: tomlSource(values),
    runsScript: false,
  };
}

function tomlSource(values: ReadonlyMap<string, string>): Source {
  const inline = /^\{ (\w{1,20}) = "([^"]{0,1000})"/.exec(values.get("package.source") ?? "");
  const type = inline?.[1] ?? (values.get("package.source.type") ?? "").replaceAll('"', "");
  const url = inline?.[2] ?? (values.get("package.source.url") ?? "").replaceAll('"', "");
  if (/^(?:virtual|editable|path|directory|file)$/.test(type)) return { kind: "local" };
  if (type === "git") return { kind: "git" };
  if (type === "url") return url.startsWith("http:") ? sourceOf(url) : { kind: "address" };
  return url === "" ? { kind: "registry", host: "" } : registry(url);
}

function registry(url: string): Source {
  const match = /^(https?):\/\/([^/?#]{1,255})/i.exec(url);
  if (match?.[1]?.toLowerCase() === "http") return sourceOf(url);
  return { kind: "registry", host: (match?.[2] ?? "").toLowerCase() };
}

/** Reads pipenv's lockfile. @throws SwornError for what is not JSON. */
export function readPipfileLock(file: SourceFile): Lockfile {
  const json = readJson(file);
  const packages = ["default", "develop"].flatMap((section) =>
    Object.entries(membersOf(json.value[section])).map(([name, value]): Locked => {
      const entry = membersOf(value);
      const address = String(entry["file"] ?? entry["path"] ?? "");
      const isGit = typeof entry["git"] === "string";
      return {
        name: pythonName(name),
        version: String(entry["version"] ?? "").replace(/^==/, ""),
        line: json.lineOf(section, name),
        asked: [],
        hasHash: Array.isArray(entry["hashes"]) && entry["hashes"].length > 0,
        source: isGit
          ? { kind: "git" }
          : address === ""
            ? { kind: "registry", host: String(entry["index"] ?? "") }
            : sourceOf(address),
        runsScript: false,
      };
    }),
  );
  return { path: file.path, lines: json.lines, ecosystem: "python", packages, namesRanges: false };
}

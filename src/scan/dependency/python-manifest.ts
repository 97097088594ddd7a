import { SourceLines } from "../kind/index.ts";
import type { SourceFile } from "../reviewer.ts";
import type { Declared, Manifest } from "./declared.ts";
import { LINE_CHARS_MAX } from "./lockfile.ts";
import { pythonName } from "./python-lock.ts";

/** Tables in which a key is a package. */
const TABLES =
  /^(?:tool\.poetry\.(?:dev-)?dependencies|tool\.poetry\.group\.[\w-]{1,60}\.dependencies|packages|dev-packages)$/;
/** Lists of requirements, by table and key. */
const LISTS =
  /^(?:project\.dependencies|project\.optional-dependencies\..{1,60}|dependency-groups\..{1,60})$/;

/** The dependencies of a pyproject.toml or a Pipfile, read line by line. */
export function pythonManifest(file: SourceFile): Manifest {
  const lines = new SourceLines(file);
  const reading = new TomlNames();
  const declared: Declared[] = [];
  for (let line = 1; line <= lines.count; line += 1) {
    const text = lines.textOf(line).slice(0, LINE_CHARS_MAX).trim();
    if (text === "" || text.startsWith("#")) continue;
    for (const name of reading.namesIn(text).filter((one) => one !== "python")) {
      declared.push({ name: pythonName(name), range: "", at: lines.cite(line), isOptional: false });
    }
  }
  return { path: file.path, ecosystem: "python", declared, overruled: new Set() };
}

/** Finds the names of packages in the lines of a TOML file, as people and tools write them. */
class TomlNames {
  #table = "";
  #isInList = false;

  namesIn(text: string): string[] {
    if (this.#isInList) return this.#listed(text);
    const header = /^\[{1,2}([^[\]]{1,200})\]{1,2}/.exec(text);
    if (header) {
      this.#table = (header[1] ?? "").trim();
      return [];
    }
    const [, key = "", value = ""] =
      /^"?([A-Za-z0-9][\w.-]{0,200})"?\s{0,8}=\s{0,8}(.*)$/.exec(text) ?? [];
    if (key !== "" && TABLES.test(this.#table)) return [key];
    this.#isInList = value.startsWith("[") && LISTS.test(`${this.#table}.${key}`);
    return this.#isInList ? this.#listed(value) : [];
  }

  /** Requirements in quotation marks, up to the end of the list. */
  #listed(text: string): string[] {
    const bare = text.replace(/"[^"]{0,1000}"|'[^']{0,1000}'/g, "");
    if (bare.replace(/#.*$/, "").includes("]")) this.#isInList = false;
    const quoted = /["']([A-Za-z0-9][\w.-]{0,200})[^"'\n]{0,1000}["']/g;
    return [...text.matchAll(quoted)].map((match) => match[1] ?? "");
  }
}

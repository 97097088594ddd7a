import { SourceLines } from "../kind/index.ts";
import type { SourceFile } from "../reviewer.ts";
import { LINE_CHARS_MAX, type Locked, type Lockfile, sourceOf } from "./lockfile.ts";

const FIELD =
  /^ {2}"?(version|resolved|integrity|resolution|checksum|conditions)"?:? "?([^"]{0,2000})"?$/;

/** Reads yarn's lockfile of either generation, line by line: nothing in it can nest. */
export function readYarnLock(file: SourceFile): Lockfile {
  const lines = new SourceLines(file);
  const packages: Locked[] = [];
  let asked: string[] = [];
  let at = 0;
  let fields = new Map<string, string>();
  const flush = () => {
    const one = asked.length === 0 ? undefined : toLocked(asked, at, fields);
    if (one) packages.push(one);
    [asked, fields] = [[], new Map()];
  };
  for (let line = 1; line <= lines.count; line += 1) {
    const text = lines.textOf(line).slice(0, LINE_CHARS_MAX);
    if (text === "" || text.startsWith("#")) continue;
    const match = FIELD.exec(text);
    if (match) fields.set(match[1] ?? "", match[2] ?? "");
    if (text.startsWith(" ")) continue;
    flush();
    at = line;
    asked = text.replaceAll('"', "").replace(/:$/, "").split(", ");
  }
  flush();
  return { path: file.path, lines, ecosystem: "npm", packages, namesRanges: true };
}

function toLocked(
  asked: readonly string[],
  line: number,
  fields: ReadonlyMap<string, string>,
): Locked | undefined {
  const [first = ""] = asked;
  const name = first.slice(0, Math.max(0, first.indexOf("@", 1)));
  if (name === "") return undefined;
  const resolution = fields.get("resolution");
  const address = resolution?.slice(resolution.indexOf("@", 1) + 1) ?? fields.get("resolved") ?? "";
  return {
    name,
    version: fields.get("version") ?? "",
    line,
    asked,
    hasHash: isHashed(fields, address),
    source: address.startsWith("npm:") ? { kind: "registry", host: "" } : sourceOf(address),
    runsScript: false,
  };
}

/** What is only for other machines has no hash here, because it was never fetched. */
function isHashed(fields: ReadonlyMap<string, string>, address: string): boolean {
  const isGiven = ["integrity", "checksum", "conditions"].some((one) => fields.has(one));
  return isGiven || /#[0-9a-f]{40}$/.test(address);
}

import type { Locked, Lockfile } from "./lockfile.ts";
import { sourceOf } from "./lockfile.ts";
import { type JsonFile, membersOf } from "./manifest.ts";

/** npm's lockfile in the common form, for what is looked at in all of them: where packages come from. */
export function npmLockfile(json: JsonFile): Lockfile {
  const packages = Object.entries(membersOf(json.value["packages"])).flatMap(([path, value]) => {
    const entry = membersOf(value);
    const at = path.lastIndexOf("node_modules/");
    if (at < 0 || entry["link"] === true) return [];
    const locked: Locked = {
      name: path.slice(at + "node_modules/".length),
      version: String(entry["version"] ?? ""),
      line: json.lineOf("packages", path),
      asked: [],
      // Hashes and scripts are told together with licences, which only this lockfile knows.
      hasHash: true,
      source: sourceOf(String(entry["resolved"] ?? "")),
      runsScript: false,
    };
    return [locked];
  });
  const { file, lines } = json;
  return { path: file.path, lines, ecosystem: "npm", packages, namesRanges: false };
}

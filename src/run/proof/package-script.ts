import { type Json, parseJson } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { readCommitFile } from "./commit-file.ts";

const PACKAGE_BYTES_MAX = 1 << 20;

/**
 * A script of a package.json as a commit has it, with every other that is run along with it, one on a
 * line: what they come to is the project's own word for what is run. Undefined when there is none.
 */
export async function packageScript(
  repository: Repository,
  commit: string,
  script: string,
  path = "package.json",
): Promise<string | undefined> {
  const file = await readCommitFile(repository, commit, path);
  const scripts = file.state === "text" ? scriptsIn(file.text) : new Map<string, Json>();
  return typeof scripts.get(script) === "string" ? runWith(script, scripts) : undefined;
}

/** The commands of such a text, without their names. */
export function linesOfScript(text: string): string[] {
  return text.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
}

function runWith(script: string, scripts: ReadonlyMap<string, Json>): string {
  const names = new Set([script]);
  const found: string[] = [];
  for (const name of names) {
    const run = [`pre${name}`, name, `post${name}`].map(
      (one) => `${one}: ${String(scripts.get(one) ?? "").replaceAll("\n", " ")}`,
    );
    found.push(...run);
    const words = run.join(" ").match(/[\w:.-]+/g) ?? [];
    for (const word of words.filter((one) => scripts.has(one))) names.add(word);
  }
  return found.join("\n");
}

function scriptsIn(text: string): ReadonlyMap<string, Json> {
  try {
    const scripts = fieldsOf(fieldsOf(parseJson(text, PACKAGE_BYTES_MAX)).get("scripts"));
    return scripts;
  } catch {
    // A package.json that cannot be read has no scripts; npm says so as well.
    return new Map();
  }
}

function fieldsOf(value: Json | undefined): ReadonlyMap<string, Json> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return new Map(isObject ? Object.entries(value) : []);
}

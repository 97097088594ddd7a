import { isTestCode } from "../kind/index.ts";
import type { TestFile } from "./test-case.ts";
import type { ChangedSource } from "./weakened-test.ts";

const JAVASCRIPT_EXPORT =
  /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]{0,100})/gm;
const PYTHON_NAME = /^(?:async )?(?:def|class) ([A-Za-z_]\w{0,100})/gm;
const IMPORTS_MAX = 200;
const STEMS_MAX = 2_000;
const TEXT_CHARS_MAX = 2_000_000;

/** What a change took away besides tests: a test of what is gone has nothing left to examine. */
export class RemovedSubjects {
  /** Paths of deleted files without their endings. */
  readonly #stems = new Set<string>();
  readonly #names = new Set<string>();

  constructor(files: readonly ChangedSource[]) {
    const kept = new Set<string>();
    for (const { path, before, after } of files) {
      // A deleted helper of tests is no subject: it could be deleted to excuse the test.
      if (isTestCode(path) || !/\.(?:[cm]?[jt]sx?|py)$/.test(path)) continue;
      if (before !== undefined && after === undefined) this.#stems.add(stemOf(path));
      for (const name of namesIn(path, before)) this.#names.add(name);
      for (const name of namesIn(path, after)) kept.add(name);
    }
    for (const name of kept) this.#names.delete(name);
  }

  /** Which deleted file a test file is about, by its imports. */
  ofFile(path: string, { imports }: Pick<TestFile, "imports">): string | undefined {
    const folder = path.split("/").slice(0, -1);
    const isPython = path.endsWith(".py");
    for (const one of imports.slice(0, IMPORTS_MAX)) {
      const stem = stemOf(isPython ? one.replaceAll(".", "/") : resolved(folder, one));
      const found = isPython ? this.#endingWith(stem) : this.#named(stem);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #named(stem: string): string | undefined {
    return [stem, `${stem}/index`].find((one) => this.#stems.has(one));
  }

  /** A module's name does not say which folder it is looked for in. */
  #endingWith(module: string): string | undefined {
    const end = module.replace(/^\/+/, "");
    if (end === "") return undefined;
    if (this.#stems.has(end)) return end;
    return [...this.#stems].slice(0, STEMS_MAX).find((stem) => stem.endsWith(`/${end}`));
  }

  /** Which name a test speaks of that nothing exports any more. */
  in(text: string): string | undefined {
    if (this.#names.size === 0) return undefined;
    for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) if (this.#names.has(word)) return word;
    return undefined;
  }
}

function namesIn(path: string, text: string | undefined): string[] {
  const pattern = path.endsWith(".py") ? PYTHON_NAME : JAVASCRIPT_EXPORT;
  const read = (text ?? "").slice(0, TEXT_CHARS_MAX);
  return [...read.matchAll(pattern)].map((match) => match[1] ?? "");
}

function stemOf(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|py)$/, "");
}

function resolved(folder: readonly string[], path: string): string {
  const parts = [...folder];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** The names under which a file knows Node's file functions that give promises. */
export interface FilePromises {
  /** What the whole module is called: `fsp` in `fsp.readFile()`. */
  readonly modules: ReadonlySet<string>;
  /** Single functions: `readFile`. */
  readonly functions: ReadonlySet<string>;
}

const WHOLE =
  /(?:\bimport\s{1,4}(?:\*\s{1,4}as\s{1,4})?([\w$]{1,60})\s{1,4}from\s{1,4}|\b(?:const|let|var)\s{1,4}([\w$]{1,60})\s{0,4}=\s{0,4}require\(\s{0,4})["'](?:node:)?fs\/promises["']/g;
const MEMBER =
  /\b(?:const|let|var)\s{1,4}([\w$]{1,60})\s{0,4}=\s{0,4}require\(["'](?:node:)?fs["']\)\.promises\b/g;
const PARTS =
  /(?:\bimport\s{0,4}\{([^{}]{1,1000})\}\s{0,4}from\s{0,4}|\b(?:const|let|var)\s{0,4}\{([^{}]{1,1000})\}\s{0,4}=\s{0,4}require\(\s{0,4})["'](?:node:)?fs\/promises["']/g;
/** `import { promises as fsp } from "fs"`. */
const ALIAS = /\bpromises\s{1,4}as\s{1,4}([\w$]{1,60})\s{0,4}[,}]/g;

/** Reads them from the imports; what a file imports in another way is not known. */
export function filePromises(text: string): FilePromises {
  const first = (match: RegExpMatchArray) => match[1] ?? match[2] ?? "";
  const modules = [WHOLE, MEMBER, ALIAS].flatMap((one) => [...text.matchAll(one)].map(first));
  const functions = [...text.matchAll(PARTS)].flatMap((match) =>
    first(match)
      .split(",")
      .map((part) => /([\w$]{1,60})\s*$/.exec(part)?.[1] ?? ""),
  );
  return { modules: new Set(modules), functions: new Set(functions.filter((one) => one !== "")) };
}

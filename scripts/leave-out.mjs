// Says which compiled files are not published: all that nothing outside of the package can reach. The command
// line has its own copy of them in dist/joined/; here they are for tests and measurements.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { STARTED } from "./join.mjs";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
/** What others import, and what is started by its path, in a sandbox too. */
const REACHED = [
  ...["index.js", "verify/index.js", ...STARTED],
  ...["agent/inside/model-program.js", "agent/inside/acp-program.js"],
];
const TYPED = ["index.d.ts", "verify/index.d.ts"];
const COMPILED = /\.(?:js|d\.ts)$/;
const NAMED = /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/** Writes dist/.npmignore, which npm obeys below the folders that package.json lists. */
export function leaveOut() {
  const kept = new Set();
  for (const path of [...REACHED, ...TYPED]) keep(join(DIST, path), kept);
  writeFileSync(join(DIST, ".npmignore"), leftIn(DIST, kept).join(""));
}

/** A folder of which nothing is kept is named as a whole: npm holds every file against every line. */
function leftIn(folder, kept) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const line = `/${relative(DIST, path)}\n`;
    if (!entry.isDirectory()) return COMPILED.test(path) && !kept.has(path) ? [line] : [];
    return isKeptIn(path, kept) ? leftIn(path, kept) : [line];
  });
}

function isKeptIn(folder, kept) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true });
  return files.some((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() && (kept.has(path) || !COMPILED.test(path));
  });
}

function keep(path, kept) {
  if (kept.has(path)) return;
  kept.add(path);
  for (const [, named] of readFileSync(path, "utf8").matchAll(NAMED)) {
    keep(beside(path, named), kept);
  }
}

/** Types name the source that they were made from. */
function beside(path, named) {
  const found = join(dirname(path), named);
  if (relative(DIST, found).startsWith(".."))
    throw new Error(`${path} leads out of dist: ${named}`);
  return path.endsWith(".d.ts") ? found.replace(/\.[jt]s$/, ".d.ts") : found;
}

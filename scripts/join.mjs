// Makes dist/joined/: what the command line and its threads load, as few files instead of a thousand, and what a run is
// given as `sworn`, as one. The compiled files stay beside it: they are what others import, what drives models and
// agents inside of sandboxes, and what can be compared with src/.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const JOINED = "joined";
const YAML = "yaml-package.cjs";
/** What a thread of its own reads Markdown with. */
const MARKDOWN = "markdown-package";
/** Packages that are asked for by their names: where they are, seen from where the compiler put who asks. */
const ASKED = {
  'createRequire(import.meta.url)("yaml")': `createRequire(import.meta.url)("../../${JOINED}/${YAML}")`,
  'createRequire(import.meta.url).resolve("mdast-util-from-markdown")': `createRequire(import.meta.url).resolve("../../${JOINED}/${MARKDOWN}.cjs")`,
};
/** Everything that is started by its path. */
export const STARTED = [
  "cli/bin.js",
  "scan/review-thread.js",
  "verify/line-worker.js",
  "ledger/hasher-worker.js",
  "policy/opa-thread.js",
];
/** Packages of JavaScript alone. All others find files of their own, or are loaded by few commands. */
const TAKEN_IN = /^(zod|yaml|picomatch|mdast-|micromark|unist-|devlop|zwitch|decode-|character-)/;
/** What rolldown itself adds. */
const ADDED = /^(\0|@oxc-project\/)/;

export async function joinStarted() {
  const entries = STARTED.map((path) => [path.replace(/^.*\/|\.js$/g, ""), path]);
  const made = await rolldown({
    input: {
      ...Object.fromEntries(entries.map(([name, path]) => [name, join(DIST, path)])),
      [MARKDOWN]: "mdast-util-from-markdown",
    },
    platform: "node",
    external: (id, from) => isPackage(id) && !TAKEN_IN.test(id) && !isInPackage(from),
    plugins: [{ name: "own-places", transform: withOwnPlace }],
    // Above all of a part that is named for later and loaded at once all the same, because a file imports it.
    onLog: (level, log) => {
      if (level === "warn") throw new Error(`joining: ${log.message}`);
    },
  });
  // CommonJS: Node takes a quarter less time to load the files of a command than as modules.
  const options = { dir: join(DIST, JOINED), format: "cjs", chunkFileNames: "[name].cjs" };
  const { output } = await made.write({ ...options, entryFileNames: "[name].cjs" });
  await made.close();
  assertInstalled(output.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]));
  output.push(...(await joinYaml()));
  await joinInside();
  for (const [name, path] of entries) {
    const first = path === "cli/bin.js" ? "#!/usr/bin/env node\n" : "";
    // Not imported: Node would search the whole file for what it exports.
    const start = `createRequire(import.meta.url)("../${JOINED}/${name}.cjs");`;
    writeFileSync(
      join(DIST, path),
      `${first}import { createRequire } from "node:module";\n${start}\n`,
    );
  }
  writeFileSync(join(DIST, JOINED, "LICENCES.txt"), licencesOf(output));
}

/** What is not taken in has to be there where the package is installed. */
function assertInstalled(asked) {
  const { dependencies } = JSON.parse(readFileSync(join(DIST, "../package.json"), "utf8"));
  const missing = asked
    .filter((id) => isPackage(id) && !isBuiltin(id) && !/\.cjs$/.test(id))
    .filter(
      (id) => !Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`)),
    );
  if (missing.length > 0) throw new Error(`not installed with the package: ${missing.join(", ")}`);
}

/** The parser for YAML is asked for by its name, and only when there is something to read. */
async function joinYaml() {
  const made = await rolldown({ input: "yaml", platform: "node" });
  const { output } = await made.write({ file: join(DIST, JOINED, YAML), format: "cjs" });
  await made.close();
  return output;
}

/** What `sworn` is inside a run: one file, which is copied for every run and needs nothing but Node.js. */
async function joinInside() {
  const made = await rolldown({ input: join(DIST, "inside/bin.js"), platform: "node" });
  const { output } = await made.write({ file: join(DIST, JOINED, "inside.mjs"), format: "esm" });
  await made.close();
  const foreign = output.flatMap(({ imports }) => imports).filter((id) => !id.startsWith("node:"));
  if (foreign.length > 0) throw new Error(`a run would need ${foreign.join(", ")}`);
}

const isPackage = (id) => /^[a-z@]/.test(id) && !ADDED.test(id);
const isInPackage = (from) => from?.includes(`${sep}node_modules${sep}`) === true;

/** A module that looks for files beside itself still finds them where the compiler put it. */
function withOwnPlace(code, id) {
  if (!id.startsWith(DIST) || !code.includes("import.meta.url")) return undefined;
  const place = JSON.stringify(`../${relative(DIST, id).split(sep).join("/")}`);
  const asked = Object.entries(ASKED).reduce(
    (all, [one, there]) => all.replaceAll(one, there),
    code,
  );
  return { code: asked.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`) };
}

/** The licences of what was taken in; a package without one is none that may be handed on. */
function licencesOf(output) {
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = new Set(modules.filter(isInPackage).map(packageFolder));
  const texts = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} says nothing about its licence`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

function packageFolder(file) {
  let folder = dirname(file);
  while (!isPackageFolder(folder)) folder = dirname(folder);
  return folder;
}

/** Some packages have a package.json in folders below, which names no package. */
function isPackageFolder(folder) {
  return (
    /\/node_modules\/(@[^/]+\/)?[^/]+$/.test(folder) && existsSync(join(folder, "package.json"))
  );
}

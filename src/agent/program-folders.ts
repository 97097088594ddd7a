import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { objectOf } from "./json-value.ts";

const PACKAGE_BYTES_MAX = 1 << 20;
const DEPENDENCIES_MAX = 1_000;
const MODULES = `${sep}node_modules${sep}`;

/** What has to be seen inside a sandbox for a program to run: as little as will do. */
export function foldersOf(
  path: string,
  interpreter: string | undefined,
  home: string,
  isByPath = false,
): readonly string[] {
  // Whoever names a path chooses the folder, too, which could hold anything of the user's.
  const own = isByPath ? path : dirname(path);
  const needed = [
    ...(path.includes(MODULES) ? packageFolders(path) : [own]),
    ...(interpreter === undefined ? [] : interpreterFolders(interpreter)),
  ];
  // A program that lies in the home itself or at the root is shown as a file: its folder holds
  // everything else the user has.
  const shown = needed.map((folder) =>
    holdsAll(folder, home) ? (folder === dirname(path) ? path : interpreter) : folder,
  );
  return [...new Set(shown.filter((folder) => folder !== undefined))].filter(
    (folder, _, all) => !all.some((other) => folder.startsWith(other + sep)),
  );
}

const holdsAll = (folder: string, home: string): boolean =>
  `${home}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** A package of npm's, and its neighbours where its dependencies are among them. */
function packageFolders(path: string): string[] {
  const store = path.indexOf(`${sep}.pnpm${sep}`);
  if (store >= 0) return [path.slice(0, store)];
  const at = path.lastIndexOf(MODULES) + MODULES.length;
  const depth = path[at] === "@" ? 2 : 1;
  const root = path.slice(0, at) + path.slice(at).split(sep).slice(0, depth).join(sep);
  const neighbours = path.slice(0, at - 1);
  const needsNeighbours = dependenciesOf(root).some(
    (name) => !existsSync(join(root, "node_modules", name)) && existsSync(join(neighbours, name)),
  );
  return [needsNeighbours ? neighbours : root];
}

function dependenciesOf(root: string): string[] {
  const file = join(root, "package.json");
  try {
    if (statSync(file).size > PACKAGE_BYTES_MAX) return [];
    const described = objectOf(JSON.parse(readFileSync(file, "utf8")));
    return ["dependencies", "optionalDependencies"]
      .flatMap((kind) => Object.keys(objectOf(described?.[kind]) ?? {}))
      .slice(0, DEPENDENCIES_MAX);
  } catch {
    // Without a description nothing is known to be needed; the program says what is missing.
    return [];
  }
}

/** Node is one file; Python's environment and the installation behind it are folders. */
function interpreterFolders(interpreter: string): string[] {
  const environment = dirname(dirname(interpreter));
  if (!existsSync(join(environment, "pyvenv.cfg"))) return [dirname(interpreter)];
  return [environment, dirname(dirname(realpathSync(interpreter)))];
}

/** Folders that hold other people's code or a tool's output, wherever they stand. */
const ANYWHERE: ReadonlyMap<string, string> = new Map([
  ["node_modules", "installed packages"],
  ["bower_components", "installed packages"],
  ["jspm_packages", "installed packages"],
  ["site-packages", "installed packages"],
  [".venv", "a Python environment"],
  ["venv", "a Python environment"],
  [".tox", "Python environments"],
  [".nox", "Python environments"],
  ["__pycache__", "compiled Python"],
  ["vendor", "third-party code"],
  ["vendored", "third-party code"],
  ["third_party", "third-party code"],
  ["third-party", "third-party code"],
  ["thirdparty", "third-party code"],
  [".yarn", "yarn's own files"],
  [".pnpm-store", "installed packages"],
  [".git", "git's own files"],
  [".svn", "subversion's own files"],
  [".gradle", "a build tool's files"],
  [".next", "build output"],
  [".nuxt", "build output"],
  [".svelte-kit", "build output"],
  [".output", "build output"],
  [".turbo", "a build cache"],
  [".cache", "a cache"],
  [".mypy_cache", "a cache"],
  [".pytest_cache", "a cache"],
  [".ruff_cache", "a cache"],
  [".terraform", "downloaded providers"],
  ["Pods", "installed packages"],
  ["DerivedData", "build output"],
  ["htmlcov", "a coverage report"],
  [".nyc_output", "a coverage report"],
]);

/** Folders that are output only near the root: deeper, they are as often a module of that name. */
const NEAR_ROOT: ReadonlyMap<string, string> = new Map([
  ["dist", "build output"],
  ["build", "build output"],
  ["out", "build output"],
  ["target", "build output"],
  ["coverage", "a coverage report"],
]);
/** `dist/x` and `packages/a/dist/x` are output, `src/build/x` is not. */
const PACKAGE_PARENTS = /^(?:packages|apps|libs|services|modules|examples|crates|plugins)$/;
const SOURCE_IN_BUILD = /\.(?:ts|tsx|mts|cts|py|go|rs|java|rb|kt|sh|md)$/;

/** Why a path is not the project's own writing, or undefined where it is. */
export function isVendored(path: string): string | undefined {
  const folders = path.split("/").slice(0, -1);
  for (const folder of folders) {
    const why = ANYWHERE.get(folder);
    if (why !== undefined) return `in ${folder}/: ${why}`;
  }
  const at = folders.length > 2 && PACKAGE_PARENTS.test(folders[0] ?? "") ? 2 : 0;
  const folder = folders[at] ?? "";
  const why = NEAR_ROOT.get(folder);
  if (why === undefined) return undefined;
  // A compiler's output holds no sources: `build/release.py` is a script that somebody wrote.
  if (folder !== "dist" && folder !== "coverage" && SOURCE_IN_BUILD.test(path)) return undefined;
  return `in ${folder}/: ${why}`;
}

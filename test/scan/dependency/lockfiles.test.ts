import { describe, expect, test } from "vitest";
import { dependency } from "../../../src/scan/dependency/index.ts";
import { isOneEditAway } from "../../../src/scan/dependency/lookalike.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { categories, review } from "./reviewing.ts";

const HOST = "https://registry.example";
const HASH = "a".repeat(40);

const YARN = `# yarn lockfile v1


"@scope/b@^2.0.0", "@scope/b@^2.1.0":
  version "2.1.0"
  resolved "${HOST}/@scope/b/-/b-2.1.0.tgz#${HASH}"
  integrity sha512-x

alpha@^1.0.0:
  version "1.2.3"
  resolved "${HOST}/alpha/-/alpha-1.2.3.tgz#${HASH}"
  integrity sha512-x
  dependencies:
    "@scope/b" "^2.0.0"
`;
const BERRY = `__metadata:
  version: 8

"@scope/b@npm:^2.1.0":
  version: 2.1.0
  resolution: "@scope/b@npm:2.1.0"
  checksum: 10c0/abc
  linkType: hard

"alpha@npm:^1.0.0":
  version: 1.2.3
  resolution: "alpha@npm:1.2.3"
  checksum: 10c0/abc
  linkType: hard

"x@workspace:.":
  version: 0.0.0-use.local
  resolution: "x@workspace:."
  linkType: soft
`;
const PNPM = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      alpha:
        specifier: ^1.0.0
        version: 1.2.3

packages:

  '@scope/b@2.1.0':
    resolution: {integrity: sha512-x}
    engines: {node: '>=8'}

  alpha@1.2.3:
    resolution: {integrity: sha512-x}

snapshots:

  '@scope/b@2.1.0': {}

  alpha@1.2.3: {}
`;
const POETRY = `[[package]]
name = "Alpha_Core"
version = "1.2.3"
description = "A"
files = [
    {file = "alpha-1.2.3.tar.gz", hash = "sha256:x"},
]

[package.dependencies]
name = "not a package"

[metadata]
lock-version = "2.0"
`;
const UV = `version = 1

[[package]]
name = "alpha-core"
version = "1.2.3"
source = { registry = "https://index.example/simple" }
wheels = [
    { url = "https://files.example/alpha.whl", hash = "sha256:x", size = 1 },
]

[[package]]
name = "x"
version = "0.1.0"
source = { virtual = "." }
`;
const PIPFILE = {
  _meta: { sources: [] },
  default: { "alpha-core": { hashes: ["sha256:x"], index: "main", version: "==1.2.3" } },
  develop: {},
};

const ASKS = { dependencies: { alpha: "^1.0.0", "@scope/b": "^2.1.0" } };
const MORE = { dependencies: { ...ASKS.dependencies, gamma: "^3.0.0" } };

describe("a manifest and its lockfile", () => {
  test.each([
    ["yarn.lock", YARN],
    ["yarn.lock", BERRY],
    ["pnpm-lock.yaml", PNPM],
  ])("%s has what is asked for, or lacks it", (path, text) => {
    expect(review({ "package.json": ASKS, [path]: text }).found).toEqual([]);
    const { found } = review({ "package.json": MORE, [path]: text });
    expect(found).toMatchObject([
      {
        priority: "P2",
        category: "lock-lacks-dependency",
        title: `${path} lacks gamma`,
        citations: [{ file: "package.json", line: 5, quote: '    "gamma": "^3.0.0"' }],
      },
    ]);
  });

  test.each([
    [
      "poetry.lock",
      POETRY,
      "pyproject.toml",
      '[tool.poetry.dependencies]\npython = "^3"\nalpha-core = "^1"\n',
      'beta = "^1"\n',
    ],
    [
      "uv.lock",
      UV,
      "pyproject.toml",
      '[project]\nname = "x"\ndependencies = [\n  "alpha.core[fast]>=1 ; python_version > \'3\'",\n',
      '  "beta",\n',
    ],
    [
      "Pipfile.lock",
      PIPFILE,
      "Pipfile",
      '[packages]\nalpha-core = "*"\n',
      'beta = {version = "*"}\n',
    ],
  ])("%s has what is asked for, or lacks it", (path, lock, manifest, text, more) => {
    const end = text.includes("[project]") ? "]\n" : "";
    expect(review({ [manifest]: text + end, [path]: lock }).found).toEqual([]);
    const { found } = review({ [manifest]: text + more + end, [path]: lock });
    expect(found).toMatchObject([
      { priority: "P2", category: "lock-lacks-dependency", title: `${path} lacks beta` },
    ]);
    expect(found[0]?.citations[0]).toMatchObject({ file: manifest, quote: more.trimEnd() });
  });

  test.each([
    ["yarn.lock", YARN],
    ["yarn.lock", BERRY],
  ])("%s that does not know the range is found, unless something overrules it", (path, text) => {
    const asks = { dependencies: { alpha: "^2.0.0" } };
    expect(categories({ "package.json": asks, [path]: text })).toEqual(["lock-misses-range"]);
    const overruled = { ...asks, resolutions: { alpha: "1.2.3" } };
    expect(categories({ "package.json": overruled, [path]: text })).toEqual([]);
  });

  test("only a lockfile in the same folder counts", () => {
    expect(categories({ "a/package.json": MORE, "yarn.lock": YARN })).toEqual([]);
    expect(categories({ "package.json": MORE, "poetry.lock": POETRY })).toEqual([]);
  });

  test("neighbours, aliases, folders and optional packages need no entry", () => {
    const dependencies = {
      a: "workspace:*",
      b: "npm:alpha@^1.0.0",
      c: "file:../c",
      d: "link:../d",
    };
    const manifest = { dependencies, optionalDependencies: { e: "^1.0.0" } };
    expect(categories({ "package.json": manifest, "yarn.lock": YARN })).toEqual([]);
  });

  test("a direct dependency in two versions is said, another one not", () => {
    const two = (name: string) => `${YARN}\n${name}@^9.0.0:\n  version "9.0.0"\n  integrity x\n`;
    expect(categories({ "package.json": ASKS, "yarn.lock": two("alpha") })).toEqual([
      "duplicate-version",
    ]);
    expect(categories({ "package.json": ASKS, "yarn.lock": two("delta") })).toEqual([]);
  });
});

describe("what a lockfile tells about its packages", () => {
  const entry = (resolved: string, integrity = "  integrity x\n") =>
    `${YARN}\nbeta@^1.0.0:\n  version "1.0.0"\n  resolved "${resolved}"\n${integrity}`;

  test.each([
    ["no hash", entry(`${HOST}/beta/-/beta-1.0.0.tgz`, ""), "P3 missing-integrity"],
    ["git", entry(`git+ssh://git@host.example/beta.git#${HASH}`, ""), "P3 address-dependency"],
    ["an address", entry("https://host.example/beta.tgz"), "P3 address-dependency"],
    ["no encryption", entry("http://host.example/beta/-/beta.tgz"), "P2 address-dependency"],
    ["another registry", entry("https://other.example/beta/-/beta.tgz"), "P3 other-registry"],
  ])("yarn: %s", (_, text, expected) => {
    const { found } = review({ "yarn.lock": text });
    expect(found.map(({ priority, category }) => `${priority} ${category}`)).toEqual([expected]);
    expect(found[0]?.citations).toMatchObject([{ line: 16, quote: "beta@^1.0.0:" }]);
  });

  test.each([
    ["no hash", "  beta@1.0.0:\n    engines: {node: '>=8'}\n", "missing-integrity"],
    [
      "a script",
      "  beta@1.0.0:\n    resolution: {integrity: x}\n    requiresBuild: true\n",
      "install-script",
    ],
    [
      "an address",
      "  beta@https://codeload.host.example/a:\n    resolution: {tarball: https://codeload.host.example/a}\n",
      "address-dependency",
    ],
    [
      "git",
      `  beta@1.0.0:\n    resolution: {commit: ${HASH}, repo: a, type: git}\n`,
      "address-dependency",
    ],
    [
      "another registry",
      `  beta@1.0.0:\n    resolution: {integrity: x, tarball: ${HOST}/beta/-/b.tgz}\n`,
      "other-registry",
    ],
  ])("pnpm: %s", (_, text, expected) => {
    const lock = PNPM.replace("snapshots:", `${text}\nsnapshots:`);
    expect(categories({ "pnpm-lock.yaml": lock })).toEqual([expected]);
  });

  test.each([
    [
      "poetry without a hash",
      "poetry.lock",
      '[[package]]\nname = "b"\nversion = "1"\nfiles = []\n',
      "missing-integrity",
    ],
    [
      "poetry from git",
      "poetry.lock",
      '[[package]]\nname = "b"\nversion = "1"\n\n[package.source]\ntype = "git"\nurl = "https://host.example/b.git"\n',
      "address-dependency",
    ],
    [
      "uv from git",
      "uv.lock",
      '[[package]]\nname = "b"\nversion = "1"\nsource = { git = "https://host.example/b?rev=1" }\n',
      "address-dependency",
    ],
    [
      "uv from another index",
      "uv.lock",
      `${UV}\n[[package]]\nname = "b"\nversion = "1"\nsource = { registry = "https://z.example/simple" }\nsdist = { hash = "x" }\n`,
      "other-registry",
    ],
    [
      "pipenv without a hash",
      "Pipfile.lock",
      '{ "default": { "b": { "version": "==1" } } }',
      "missing-integrity",
    ],
  ])("%s", (_, path, text, expected) => {
    expect(categories({ [path]: text })).toEqual([expected]);
  });

  test("older poetry keeps its hashes at the end", () => {
    const text =
      '[[package]]\nname = "b"\nversion = "1"\n\n[metadata.files]\nb = [\n  {file = "b", hash = "sha256:x"},\n]\n';
    expect(categories({ "poetry.lock": text })).toEqual([]);
  });

  test("npm: an address, and a package that names no licence among such that do", () => {
    const fine = {
      version: "1.0.0",
      integrity: "x",
      license: "MIT",
      resolved: `${HOST}/a/-/a.tgz`,
    };
    const lock = (one: object) => ({
      lockfileVersion: 3,
      packages: { "node_modules/a": fine, "node_modules/b": fine, "node_modules/c": one },
    });
    expect(categories({ "package-lock.json": lock(fine) })).toEqual([]);
    const bare = { ...fine, license: undefined };
    expect(categories({ "package-lock.json": lock(bare) })).toEqual(["missing-licence"]);
    const plain = { ...fine, resolved: "http://host.example/c/-/c.tgz" };
    expect(categories({ "package-lock.json": lock(plain) })).toEqual(["address-dependency"]);
  });
});

describe("names that look like others", () => {
  const names = (...list: string[]) =>
    review({
      "package.json": { dependencies: Object.fromEntries(list.map((one) => [one, "^1.0.0"])) },
    }).found.map(({ priority, title }) => `${priority} ${title}`);

  test("one letter more, less, other or swapped is said, with both names", () => {
    expect(names("expresss", "lodahs", "axois", "chalkk")).toEqual([
      "P3 expresss is one letter away from express",
      "P3 lodahs is one letter away from lodash",
      "P3 axois is one letter away from axios",
      "P3 chalkk is one letter away from chalk",
    ]);
    const manifest = '[project]\ndependencies = ["reqeusts"]\n';
    expect(categories({ "pyproject.toml": manifest })).toEqual(["lookalike-name"]);
  });

  test("a popular name, a scoped one, a short one and another one are not suspected", () => {
    expect(names("react", "preact", "color", "colors", "@mine/expresss", "qx", "my-own")).toEqual(
      [],
    );
  });

  test.each([
    ["express", "express", false],
    ["express", "expres", true],
    ["express", "exprses", true],
    ["express", "exprssse", false],
    ["abcd", "abce", false],
  ])("%s and %s: %s", (a, b, expected) => {
    expect(isOneEditAway(a, b)).toBe(expected);
    expect(isOneEditAway(b, a)).toBe(expected);
  });
});

describe("hostile lockfiles are read in time", () => {
  const deep = (unit: string, count: number) => unit.repeat(count);
  test.each([
    [
      "pnpm-lock.yaml",
      `packages:\n${Array.from({ length: 50_000 }, (_, at) => `${" ".repeat(at % 200)}a:`).join("\n")}`,
    ],
    ["pnpm-lock.yaml", `a: &a [x]\nb: &b [${deep("*a,", 100_000)}]\npackages:\n  c@1: *b\n`],
    ["pnpm-lock.yaml", `packages:\n  a@1:\n    resolution: ${deep("{", 1_000_000)}`],
    ["yarn.lock", deep('a@1, "b@2":\n  version "1"\n', 100_000)],
    ["yarn.lock", `${deep("a@1, ", 500_000)}:\n`],
    ["uv.lock", deep('[[package]]\nname = "a"\nversion = "1"\n', 100_000)],
    ["poetry.lock", deep("[", 2_000_000)],
    ["Pipfile.lock", deep("[", 1_000_000)],
    ["pyproject.toml", `[project]\ndependencies = [\n${deep('"a', 500_000)}`],
    ["pyproject.toml", deep("dependencies = [", 100_000)],
  ])("%s", (path, text) => {
    const started = process.cpuUsage();
    review({ [path]: text, "package.json": ASKS });
    expect(processorMsSince(started)).toBeLessThan(20_000);
  });

  test("one that locks too much is named as unread", () => {
    const text = '[[package]]\nname = "a"\n'.repeat(200_001);
    expect(review({ "uv.lock": text }).skipped).toMatchObject([{ path: "uv.lock" }]);
  });
});

test("reads lockfiles and manifests wherever they stand, and none of installed packages", () => {
  for (const path of [
    "yarn.lock",
    "a/pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "Pipfile",
    "Pipfile.lock",
    "pyproject.toml",
  ]) {
    expect(dependency.covers(path)).toBe(true);
    expect(dependency.context?.(path)).toBe(true);
  }
  for (const path of ["node_modules/a/package.json", "Cargo.lock", "a.yaml", "my-yarn.lock"]) {
    expect(dependency.covers(path)).toBe(false);
  }
});

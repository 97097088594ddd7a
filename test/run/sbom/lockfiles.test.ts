import { expect, test } from "vitest";
import { isLockfilePath, packagesOfLockfile } from "../../../src/run/sbom/index.ts";
import { expectLinear } from "../../cost-growth.ts";

const HEX = "0123456789abcdef".repeat(4);
const short = (path: string, text: string): string[] =>
  packagesOfLockfile(path, text).map(({ ecosystem, name, version }) =>
    [ecosystem, name, version].join(" "),
  );

test("npm's lockfile is read in its newer form", () => {
  const text = JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": { name: "project", license: "MIT" },
      "packages/own": { version: "1.0.0" },
      "node_modules/own": { resolved: "packages/own", link: true },
      "node_modules/a": {
        version: "1.0.0",
        license: "ISC",
        integrity: `sha1-${Buffer.alloc(20).toString("base64")} sha512-${Buffer.alloc(64).toString("base64")}`,
        resolved: "https://user:password@registry.example.org/a.tgz",
      },
      "node_modules/a/node_modules/@s/b": { version: "2.0.0", licenses: [{ type: "MIT" }, "ISC"] },
      "node_modules/alias": { name: "real", version: "3.0.0", integrity: "sha512-short" },
      "node_modules/bad name": { version: "1" },
    },
  });
  expect(packagesOfLockfile("x/package-lock.json", text)).toEqual([
    {
      ecosystem: "npm",
      name: "a",
      version: "1.0.0",
      licence: "ISC",
      checksum: { algorithm: "SHA512", hex: "00".repeat(64) },
    },
    { ecosystem: "npm", name: "@s/b", version: "2.0.0", licence: "MIT OR ISC" },
    { ecosystem: "npm", name: "real", version: "3.0.0", licence: undefined },
  ]);
});

test("npm's lockfile is read in its older form", () => {
  const text = JSON.stringify({
    lockfileVersion: 1,
    dependencies: { a: { version: "1.0.0", dependencies: { b: { version: "2.0.0" } } } },
  });
  expect(short("package-lock.json", text)).toEqual(["npm a 1.0.0", "npm b 2.0.0"]);
});

test("the lockfiles of cargo, poetry and uv are read", () => {
  const cargo = `version = 4\n\n[[package]]\nname = "serde"\nversion = "1.0.1"\nsource = "registry+x"\nchecksum = "${HEX}"\ndependencies = [\n "serde_derive",\n]\n\n[[package]]\nname = "own"\nversion = "0.1.0"\n\n[metadata]\nname = "no"\n`;
  expect(packagesOfLockfile("Cargo.lock", cargo)).toEqual([
    {
      ecosystem: "cargo",
      name: "serde",
      version: "1.0.1",
      licence: undefined,
      checksum: { algorithm: "SHA256", hex: HEX },
    },
    { ecosystem: "cargo", name: "own", version: "0.1.0", licence: undefined },
  ]);
  const poetry = `[[package]]\nname = "requests"\nversion = "2.0"\nfiles = [\n    {file = "a.whl", hash = "sha256:${HEX}"},\n    {file = "a.tar.gz", hash = "sha256:${HEX}"},\n]\n\n[package.dependencies]\nname = "x"\n`;
  const [requests] = packagesOfLockfile("poetry.lock", poetry);
  expect(requests).toEqual({
    ecosystem: "pypi",
    name: "requests",
    version: "2.0",
    licence: undefined,
  });
  expect(short("uv.lock", poetry)).toEqual(["pypi requests 2.0"]);
});

test("requirements with hashes and go's sums are read", () => {
  const text = `# comment\n--index-url https://registry.example.org\nRequests[socks]==2.31.0 ; python_version > "3" \\\n    --hash=sha256:${HEX}\nflask>=2\nnumpy == 1.26.4 # why\n-r other.txt\n./local\n`;
  expect(packagesOfLockfile("requirements.txt", text)).toEqual([
    {
      ecosystem: "pypi",
      name: "requests",
      version: "2.31.0",
      licence: undefined,
      checksum: { algorithm: "SHA256", hex: HEX },
    },
    { ecosystem: "pypi", name: "flask", version: undefined, licence: undefined },
    { ecosystem: "pypi", name: "numpy", version: "1.26.4", licence: undefined },
  ]);
  const sums =
    "golang.org/x/net v0.1.0 h1:abc=\ngolang.org/x/net v0.1.0/go.mod h1:def=\nbroken line\n";
  expect(short("go.sum", sums)).toEqual(["golang golang.org/x/net v0.1.0"]);
});

test("requirements from an address are listed under the name that they are given", () => {
  const text = [
    "-e git+https://git.example.org/x/left-pad.git@v1.2#egg=left_pad",
    "git+ssh://git@git.example.org/x/Other.git",
    "https://files.example.org/a/some_wheel-2.0-py3-none-any.whl#sha256=00",
    "flask @ https://files.example.org/flask.zip",
    "-r other.txt",
    "--index-url https://registry.example.org/simple",
  ].join("\n");
  expect(short("requirements-dev.txt", text)).toEqual([
    "pypi left-pad v1.2",
    "pypi other ",
    "pypi some-wheel 2.0",
    "pypi flask ",
  ]);
  const paths = ["requirements/base.txt", "a/requirements_test.txt", "constraints.txt"];
  expect(paths.filter((path) => !isLockfilePath(path))).toEqual([]);
  expect(isLockfilePath("docs/my-requirements.txt")).toBe(false);
});

test("a lockfile that cannot be read is an error and not an empty list", () => {
  expect(() => packagesOfLockfile("package-lock.json", "{")).toThrow("not JSON");
  expect(() => packagesOfLockfile("go.sum", "a".repeat(67_108_865))).toThrow("expected at most");
  expect(isLockfilePath("a/go.sum")).toBe(true);
  expect(isLockfilePath("a/go.summary")).toBe(false);
});

test("ten times the lockfile costs ten times as much", () => {
  const lines = "pkg_name-a==1.0.0 \\\n --hash=sha256:00\n".repeat(2_000);
  expectLinear((times) => packagesOfLockfile("requirements.txt", lines.repeat(times)));
  const blanks = `name =${" ".repeat(3_000)}\n[[package]]\n`.repeat(50);
  expectLinear((times) => packagesOfLockfile("Cargo.lock", blanks.repeat(times)));
});

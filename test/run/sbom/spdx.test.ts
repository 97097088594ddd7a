import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { expect, test } from "vitest";
import {
  isSbomDue,
  leaveSbom,
  packagesOfLockfile,
  packagesOfRoot,
  type SbomPackage,
  toSpdx,
  whySbomDue,
} from "../../../src/run/sbom/index.ts";
import { verifies } from "../../verifies.ts";
import { workspace } from "../collect/workspace.ts";
import { SPDX_SCHEMA } from "./spdx-schema.ts";
import { faultsOf, parse } from "./spdx-shape.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const SUBJECT = { name: "node", digest: DIGEST, sourceDateEpoch: 1_700_000_000 };
const npm = (name: string, version: string, licence?: string): SbomPackage => ({
  ecosystem: "npm",
  name,
  version,
  licence,
});

test("a document has the shape of SPDX 2.3 and says of each package what is known", () => {
  const checksum = { algorithm: "SHA512" as const, hex: "ab".repeat(64) };
  const bytes = toSpdx(SUBJECT, [
    { ...npm("@scope/name", "1.0.0", "(MIT OR Apache-2.0)"), checksum },
    npm("plain", "2.0.0-rc.1+b"),
  ]);
  expect(faultsOf(bytes)).toEqual([]);
  const { packages, creationInfo } = parse(bytes);
  expect(creationInfo.created).toBe("2023-11-14T22:13:20Z");
  expect(packages.map((one) => [one.name, one.versionInfo, one.licenseDeclared])).toEqual([
    ["node", DIGEST, "NOASSERTION"],
    ["@scope/name", "1.0.0", "MIT OR Apache-2.0"],
    ["plain", "2.0.0-rc.1+b", "NOASSERTION"],
  ]);
  expect(packages[1]?.externalRefs?.[0]?.referenceLocator).toBe("pkg:npm/%40scope/name@1.0.0");
  expect(packages[1]?.checksums).toEqual([{ algorithm: "SHA512", checksumValue: "ab".repeat(64) }]);
});

test("the schema that lists are held to says no to each kind of fault", () => {
  const sound = JSON.parse(toSpdx(SUBJECT, [npm("a", "1", "Own")]).toString());
  const isValid = new Ajv2019().compile(SPDX_SCHEMA);
  expect(isValid(sound)).toBe(true);
  const [first, ...others] = sound.packages;
  const broken: Record<string, unknown>[] = [
    { ...sound, documentNamespace: undefined },
    { ...sound, more: true },
    { ...sound, creationInfo: { ...sound.creationInfo, creators: [] } },
    { ...sound, creationInfo: { ...sound.creationInfo, created: "2023-11-14 22:13:20" } },
    { ...sound, packages: [{ ...first, SPDXID: "SPDXRef-a_b" }, ...others] },
    { ...sound, packages: [{ ...first, downloadLocation: undefined }, ...others] },
    { ...sound, packages: [{ ...first, primaryPackagePurpose: "IMAGE" }, ...others] },
    { ...sound, packages: [{ ...first, checksums: [{ algorithm: "SHA-256" }] }, ...others] },
    { ...sound, relationships: [{ ...sound.relationships[0], relationshipType: "HAS" }] },
    { ...sound, hasExtractedLicensingInfos: [{ licenseId: "LicenseRef-a" }] },
    { ...sound, files: [{ SPDXID: "SPDXRef-f", fileName: "f", checksums: [] }] },
  ];
  const passed = broken.map((one) => JSON.parse(JSON.stringify(one))).filter((one) => isValid(one));
  expect(passed).toEqual([]);
});

test("a licence that is no id is kept under its name", () => {
  const bytes = toSpdx(SUBJECT, [
    npm("a", "1", "SEE LICENSE IN LICENSE.txt"),
    npm("b", "1", "MIT AND Custom-1.0"),
    npm("c", "1", "GPL-2+ with OpenSSL-exception or Expat"),
    npm("d", "1", ")(broken"),
    npm("e", "1", "\u0000\n\u202e"),
    npm("f", "1", "MIT/X11/ISC or\tBSD-3-clause"),
    npm("h", "1", "GPL-3+ with GCC-exception-3.1 and (Expat OR ISC)"),
    npm("g", "1", `${"(".repeat(5_000)}MIT`),
  ]);
  expect(faultsOf(bytes)).toEqual([]);
  const { packages, hasExtractedLicensingInfos = [] } = parse(bytes);
  const declared = (name: string) => packages.find((one) => one.name === name)?.licenseDeclared;
  expect(declared("b")).toMatch(/^MIT AND LicenseRef-Custom-1\.0-[0-9a-f]{12}$/);
  expect(declared("c")).toMatch(/^LicenseRef-GPL-2-with-OpenSSL-exception-[0-9a-f]{12} OR MIT$/);
  expect(declared("h")).toBe("GPL-3.0-or-later WITH GCC-exception-3.1 AND (MIT OR ISC)");
  expect(hasExtractedLicensingInfos.map((one) => one.extractedText)).toContain(
    "SEE LICENSE IN LICENSE.txt",
  );
});

verifies("004-61", "the same packages give the same bytes at any time and in any order", () => {
  const packages = [npm("b", "1", "MIT"), npm("a", "2"), npm("a", "1"), npm("a", "1", "ISC")];
  const first = toSpdx(SUBJECT, packages);
  expect(toSpdx(SUBJECT, packages.toReversed()).equals(first)).toBe(true);
  expect(parse(first).packages).toHaveLength(4);
  expect(parse(first).packages[1]?.licenseDeclared).toBe("ISC");
  const other = toSpdx({ ...SUBJECT, digest: `sha256:${"b".repeat(64)}` }, packages);
  expect(parse(other).documentNamespace).not.toBe(parse(first).documentNamespace);
});

test("this project's own lockfile makes a valid list", () => {
  const text = readFileSync(resolve(import.meta.dirname, "../../../package-lock.json"), "utf8");
  const packages = packagesOfLockfile("package-lock.json", text);
  expect(packages.length).toBeGreaterThan(100);
  const zod = packages.find(({ name }) => name === "zod");
  expect(zod).toMatchObject({ licence: "MIT", checksum: { algorithm: "SHA512" } });
  expect(faultsOf(toSpdx(SUBJECT, packages))).toEqual([]);
});

/** A root as Debian lays it out. */
function debianRoot(): string {
  const root = workspace();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put(
    "var/lib/dpkg/status",
    `Package: libgcc-s1
Status: install ok installed
Maintainer: Somebody <some.body@debian.org>
Architecture: amd64
Multi-Arch: same
Version: 14.2.0-19
Description: GCC support library
 Package: not-a-package
 .
 more

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

Package: zlib1g
Status: install ok installed
Architecture: amd64
Version: 1:1.3.dfsg+really1.3.1-1

Package: prose
Status: hold ok installed
Version: 2
`,
  );
  put(
    "usr/share/doc/gcc-14-base/copyright",
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nLicense: GPL-3+\n text\n\nFiles: x\nLicense: Expat\n",
  );
  symlinkSync("gcc-14-base", join(root, "usr/share/doc/libgcc-s1"));
  const outside = workspace();
  writeFileSync(join(outside, "copyright"), "Format: x\n\nLicense: of-the-host\n");
  const docs = join(root, "usr/share/doc");
  symlinkSync(relative(docs, outside), join(docs, "zlib1g"));
  put("usr/share/doc/prose/copyright", "This package is under the GPL.\nLicense: see below\n");
  put(
    "usr/lib/python3/dist-packages/Some_Lib-1.2.dist-info/METADATA",
    "Metadata-Version: 2.1\nName: Some_Lib\nVersion: 1.2\nLicense: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License\n\nName: other\n",
  );
  return root;
}

test("a root of Debian's making is listed with versions and licences, and without people", () => {
  const packages = packagesOfRoot(debianRoot());
  expect(packages).toEqual([
    {
      ecosystem: "deb",
      name: "libgcc-s1",
      version: "14.2.0-19",
      architecture: "amd64",
      licence: "(Expat) AND (GPL-3+)",
    },
    {
      ecosystem: "deb",
      name: "zlib1g",
      version: "1:1.3.dfsg+really1.3.1-1",
      architecture: "amd64",
      licence: undefined,
    },
    { ecosystem: "deb", name: "prose", version: "2", licence: undefined },
    { ecosystem: "pypi", name: "some-lib", version: "1.2", licence: "(MIT)" },
  ]);
  const bytes = toSpdx(SUBJECT, packages);
  expect(faultsOf(bytes)).toEqual([]);
  const { packages: parts } = parse(bytes);
  const gcc = parts.find(({ name }) => name === "libgcc-s1");
  expect(gcc?.licenseDeclared).toBe("MIT AND GPL-3.0-or-later");
  expect(gcc?.externalRefs?.[0]?.referenceLocator).toBe(
    "pkg:deb/debian/libgcc-s1@14.2.0-19?arch=amd64",
  );
  expect(bytes.toString()).not.toContain("debian.org");
});

test("a root without a package database has no list", () => {
  expect(() => packagesOfRoot(workspace())).toThrow("ENOENT");
});

verifies("004-56", "the first run of an environment leaves a list of parts in the output", () => {
  const lockfiles = new Map([["package-lock.json", "1".repeat(64)]]);
  const fresh = { environments: new Set<string>(), lockfiles: new Map<string, string>() };
  expect(isSbomDue(fresh, DIGEST, lockfiles)).toBe(true);
  const folder = workspace();
  const name = leaveSbom(folder, DIGEST, toSpdx(SUBJECT, [npm("a", "1")]));
  expect(name).toBe(`SBOM-sha256-${"a".repeat(64)}.spdx.json`);
  expect(faultsOf(readFileSync(join(folder, name)))).toEqual([]);
  expect(readFileSync(join(folder, `${name}.meta.json`), "utf8")).toBe(
    '{"classification":"internal","pii":false}\n',
  );
});

test("a list is due for a new environment or a changed lockfile, and not otherwise", () => {
  const lockfiles = new Map([["package-lock.json", "1".repeat(64)]]);
  const seen = { environments: new Set([DIGEST]), lockfiles };
  expect(whySbomDue(seen, DIGEST, lockfiles)).toBeUndefined();
  expect(isSbomDue(seen, DIGEST, lockfiles)).toBe(false);
  expect(whySbomDue(seen, DIGEST, new Map())).toBeUndefined();
  expect(whySbomDue(seen, "sha256:other", lockfiles)).toContain("first time");
  expect(whySbomDue(seen, DIGEST, new Map([["package-lock.json", "2".repeat(64)]]))).toContain(
    "package-lock.json changed",
  );
  expect(whySbomDue(seen, DIGEST, new Map([["go.sum", "1".repeat(64)]]))).toContain(
    "go.sum is new",
  );
});

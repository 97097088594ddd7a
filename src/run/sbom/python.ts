import { assertCountable, assertReadable, isName, type SbomPackage } from "./sbom-package.ts";

const HEADER_CHARS_MAX = 65_536;
/** A longer licence field is the text of one, and no name. */
const LICENCE_CHARS_MAX = 100;

/** What the classifiers of Python packages call licences that everybody uses. */
const CLASSIFIERS: ReadonlyMap<string, string> = new Map([
  ["MIT License", "MIT"],
  ["BSD License", "BSD-unspecified"],
  ["Apache Software License", "Apache-2.0"],
  ["ISC License (ISCL)", "ISC"],
  ["Mozilla Public License 2.0 (MPL 2.0)", "MPL-2.0"],
  ["Python Software Foundation License", "PSF-2.0"],
  ["GNU General Public License v2 (GPLv2)", "GPL-2.0-only"],
  ["GNU General Public License v2 or later (GPLv2+)", "GPL-2.0-or-later"],
  ["GNU General Public License v3 (GPLv3)", "GPL-3.0-only"],
  ["GNU General Public License v3 or later (GPLv3+)", "GPL-3.0-or-later"],
  ["GNU Affero General Public License v3", "AGPL-3.0-only"],
  ["GNU Lesser General Public License v3 (LGPLv3)", "LGPL-3.0-only"],
  ["The Unlicense (Unlicense)", "Unlicense"],
  ["zlib/libpng License", "Zlib"],
]);

/** Reads `METADATA` of an installed package; undefined when it names none. */
export function readDistInfo(metadata: string): SbomPackage | undefined {
  const head = metadata.slice(0, HEADER_CHARS_MAX).split(/\r?\n\r?\n/, 1)[0] ?? "";
  const valuesOf = (field: string): string[] =>
    [...head.matchAll(new RegExp(`^${field}: (.{1,500})$`, "gm"))].map((match) =>
      (match[1] ?? "").trim(),
    );
  const [name = ""] = valuesOf("Name");
  if (!isName(name)) return undefined;
  const [version] = valuesOf("Version");
  const [expression] = valuesOf("License-Expression");
  const [field = ""] = valuesOf("License");
  const isNamed = field !== "" && field !== "UNKNOWN" && field.length <= LICENCE_CHARS_MAX;
  const licence = expression ?? (isNamed ? field : classified(valuesOf("Classifier")));
  return { ecosystem: "pypi", name: pythonName(name), version, licence };
}

function classified(classifiers: readonly string[]): string | undefined {
  const names = classifiers
    .filter((one) => one.startsWith("License :: "))
    .map((one) => one.slice(one.lastIndexOf(" :: ") + 4))
    .filter((one) => one !== "OSI Approved")
    .map((one) => CLASSIFIERS.get(one) ?? one);
  return names.length === 0 ? undefined : names.map((one) => `(${one})`).join(" OR ");
}

/** Names of Python packages are one name in many spellings. */
function pythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]{1,20}/g, "-");
}

/** Reads a requirements file; a line without `==` pins nothing and has no version. */
export function readRequirements(text: string): SbomPackage[] {
  assertReadable(text, "the requirements");
  const packages = text
    .replace(/\\\r?\n/g, " ")
    .split("\n")
    .flatMap((line) => toPackage(line.slice(0, HEADER_CHARS_MAX).trim()));
  assertCountable(packages, "the requirements");
  return packages;
}

function toPackage(line: string): SbomPackage[] {
  const match =
    /^([A-Za-z0-9][\w.-]{0,200})(?:\[[^\]]{0,500}\])?\s{0,20}(?:={2,3}\s{0,20}([^\s;#,]{1,100}))?(?=[\s;#,<>=!~@]|$)/.exec(
      line,
    );
  if (match === null) return atAddress(line);
  const hashes = [...line.matchAll(/--hash=sha256:([0-9a-f]{64})(?![0-9a-f])/g)];
  const [hash, ...more] = hashes.map((one) => one[1] ?? "");
  const isSure = hash !== undefined && more.length === 0;
  const found: SbomPackage = {
    ecosystem: "pypi",
    name: pythonName(match[1] ?? ""),
    version: match[2],
    licence: undefined,
    ...(isSure ? { checksum: { algorithm: "SHA256", hex: hash } } : {}),
  };
  return [found];
}

/** What is fetched from an address has no name but the one it is given, or that of its last part. */
function atAddress(line: string): SbomPackage[] {
  const said = /^(?:(?:-e|--editable)[\s=]{1,20})?[a-z][a-z+.]{1,30}:\/\/(\S{1,2000})/i.exec(
    line,
  )?.[1];
  if (said === undefined) return [];
  const [address = "", fragment = ""] = said.split("#", 2);
  const [last = "", ref] = (address.split("/").at(-1) ?? "").split("@", 2);
  const egg = /(?:^|&)egg=([\w.-]{1,200})/.exec(fragment)?.[1];
  const [file = "", version] = last.endsWith(".whl") ? last.split("-", 2) : [last];
  const name = egg ?? file.replace(/\.(?:git|zip|whl|tar\.\w{2,3}|tgz)$/, "");
  if (!isName(name)) return [];
  return [
    { ecosystem: "pypi", name: pythonName(name), version: ref ?? version, licence: undefined },
  ];
}

import { assertCountable, assertReadable, isName, type SbomPackage } from "./sbom-package.ts";

/** Reads what dpkg says is installed. Whoever maintains a package is a person and stays out. */
export function readDpkgStatus(
  status: string,
  copyrightOf: (name: string) => string | undefined = () => undefined,
): SbomPackage[] {
  assertReadable(status, "the status of dpkg");
  const packages = status.split(/\n{2,}/).flatMap((paragraph) => {
    const fields = fieldsOf(paragraph);
    const name = fields.get("package") ?? "";
    if (!isName(name) || !/\binstalled$/.test(fields.get("status") ?? "")) return [];
    const copyright = copyrightOf(name);
    const architecture = fields.get("architecture");
    const found: SbomPackage = {
      ecosystem: "deb",
      name,
      version: fields.get("version"),
      licence: copyright === undefined ? undefined : licenceInCopyright(copyright),
      ...(architecture === undefined ? {} : { architecture }),
    };
    return [found];
  });
  assertCountable(packages, "the status of dpkg");
  return packages;
}

/** The first line of each field; what follows it is indented. */
function fieldsOf(paragraph: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of paragraph.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1 || /^\s/.test(line)) continue;
    const name = line.slice(0, colon).toLowerCase();
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

const COPYRIGHT_CHARS_MAX = 1_048_576;
const LICENCES_MAX = 40;

/**
 * The licences that a machine-readable copyright file names (DEP 5). All of them hold, each for some
 * of the files. A file in prose is not guessed at.
 */
export function licenceInCopyright(copyright: string): string | undefined {
  if (copyright.length > COPYRIGHT_CHARS_MAX) return undefined;
  if (!/^Format(?:-Specification)?:/m.test(copyright.slice(0, 2_000))) return undefined;
  const names = new Set<string>();
  for (const match of copyright.matchAll(/^Licen[cs]e:[ \t]{0,20}(\S[^\n]{0,200})$/gim)) {
    names.add((match[1] ?? "").trim());
  }
  if (names.size === 0 || names.size > LICENCES_MAX) return undefined;
  const [first = "", ...more] = [...names].toSorted();
  return more.length === 0 ? first : [first, ...more].map((name) => `(${name})`).join(" AND ");
}

import { type Json, parseJson } from "../../base/index.ts";
import {
  assertCountable,
  assertReadable,
  type ChecksumAlgorithm,
  isName,
  type SbomPackage,
} from "./sbom-package.ts";

const LOCK_BYTES_MAX = 67_108_864;
const LEVELS_MAX = 60;

/**
 * Reads `package-lock.json` of any version, or `npm-shrinkwrap.json`.
 *
 * @throws SwornError `INPUT_INVALID` for what is no JSON object.
 */
export function readNpmLock(text: string): SbomPackage[] {
  assertReadable(text, "package-lock.json");
  const lock = membersOf(parseJson(text, LOCK_BYTES_MAX));
  const packages =
    lock["packages"] === undefined
      ? fromTree(membersOf(lock["dependencies"]), 0)
      : Object.entries(membersOf(lock["packages"])).flatMap(([path, entry]) =>
          fromEntry(nameIn(path, membersOf(entry)), membersOf(entry)),
        );
  assertCountable(packages, "package-lock.json");
  return packages;
}

type Members = Readonly<Record<string, Json>>;

function membersOf(value: Json | undefined): Members {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Members) : {};
}

/** The project itself and its workspaces are not what it depends on. */
function nameIn(path: string, entry: Members): string {
  const at = path.lastIndexOf("node_modules/");
  if (at < 0 || entry["link"] === true) return "";
  return textOf(entry["name"]) ?? path.slice(at + "node_modules/".length);
}

/** The older form: packages inside packages. */
function fromTree(dependencies: Members, level: number): SbomPackage[] {
  if (level > LEVELS_MAX) return [];
  return Object.entries(dependencies).flatMap(([name, value]) => {
    const entry = membersOf(value);
    return [...fromEntry(name, entry), ...fromTree(membersOf(entry["dependencies"]), level + 1)];
  });
}

function fromEntry(name: string, entry: Members): SbomPackage[] {
  if (!isName(name)) return [];
  const checksum = checksumOf(textOf(entry["integrity"]) ?? "");
  const found: SbomPackage = {
    ecosystem: "npm",
    name,
    version: textOf(entry["version"]),
    licence: licenceOf(entry),
    ...(checksum === undefined ? {} : { checksum }),
  };
  return [found];
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A text; in old packages an object, or a list of which any may be chosen. */
function licenceOf(entry: Members): string | undefined {
  const one = (value: Json | undefined): string | undefined =>
    textOf(value) ?? textOf(membersOf(value)["type"]);
  const many = entry["licenses"];
  if (!Array.isArray(many)) return one(entry["license"]);
  const names = (many as readonly Json[]).flatMap((value) => one(value) ?? []);
  return names.length === 0 ? undefined : names.join(" OR ");
}

const ALGORITHMS: ReadonlyMap<string, ChecksumAlgorithm> = new Map([
  ["sha512", "SHA512"],
  ["sha384", "SHA384"],
  ["sha256", "SHA256"],
  ["sha1", "SHA1"],
]);
const DIGEST_BYTES: Readonly<Record<ChecksumAlgorithm, number>> = {
  SHA512: 64,
  SHA384: 48,
  SHA256: 32,
  SHA1: 20,
};

/** The strongest of the hashes in a subresource integrity text. */
function checksumOf(integrity: string): SbomPackage["checksum"] {
  const words = integrity.slice(0, 4_000).split(/\s+/);
  for (const [prefix, algorithm] of ALGORITHMS) {
    const word = words.find((one) => one.startsWith(`${prefix}-`));
    if (word === undefined) continue;
    const bytes = Buffer.from(word.slice(prefix.length + 1), "base64");
    if (bytes.length === DIGEST_BYTES[algorithm]) return { algorithm, hex: bytes.toString("hex") };
  }
  return undefined;
}

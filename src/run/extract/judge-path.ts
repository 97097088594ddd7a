import { ProjectPath } from "../../schema/work-proof.ts";

const PART_BYTES_MAX = 255;
/** Long enough for every name of the projects there are; the schema's own bound is the same. */
const PATH_CHARS_MAX = 1_000;
const PARTS_MAX = 64;

/** A name as it was written, with the one harmless way of writing it differently taken away. */
export function plainPath(name: string): string {
  return name.startsWith("./") ? name.slice(2) : name;
}

/**
 * Why a name is no place inside the project, or undefined where it is one. The same answer on every
 * machine: what only Windows or macOS would take for another path is refused on Linux, too.
 */
export function pathProblem(path: string): string | undefined {
  const found = CHECKS.find(([, isWrong]) => isWrong(path))?.[0];
  if (found !== undefined) return found;
  // Wide dots and slashes are read as dots and slashes, by people and by some programs.
  const plain = path.normalize("NFKC");
  if (plain !== path && CHECKS.some(([, isWrong]) => isWrong(plain))) {
    return "the name has characters that read like another path";
  }
  // The shape that plans and proofs use has the last word.
  return ProjectPath.safeParse(path).success ? undefined : "the name is no path inside the project";
}

const someIn = (isWrong: (part: string) => boolean) => (path: string) =>
  path.split("/").some((part) => isWrong(part));

const CHECKS: readonly [string, (path: string) => boolean][] = [
  ["the name is empty", (path) => path === ""],
  [`the name is longer than ${PATH_CHARS_MAX} characters`, (path) => path.length > PATH_CHARS_MAX],
  [`the path has more than ${PARTS_MAX} parts`, (path) => path.split("/").length > PARTS_MAX],
  ["the name is not well-formed Unicode", (path) => !path.isWellFormed()],
  // Invisible characters: some file systems ignore them, so that `.g<joiner>it` is `.git` there.
  [
    "the name has control or invisible characters",
    (path) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path),
  ],
  ["the name has a backslash; folders are parted by /", (path) => path.includes("\\")],
  ["the name begins with a drive letter", (path) => /^[A-Za-z]:/.test(path)],
  ["the name has a colon, which parts streams and drives on Windows", (path) => path.includes(":")],
  ["the path is absolute; expected one inside the project", (path) => path.startsWith("/")],
  ["the path begins with ~; expected one inside the project", (path) => path.startsWith("~")],
  ["the path leads out with ..", someIn((part) => part === "..")],
  ["the path has an empty part or a .", someIn((part) => part === "" || part === ".")],
  // `git~1` is the short name that Windows gives `.git`.
  ["the path goes into .git", someIn((part) => /^(?:\.git|git~\d+)[. ]*$/i.test(part))],
  [
    "the path goes into .sworn, the store of the records",
    someIn((part) => /^\.sworn[. ]*$/i.test(part)),
  ],
  [
    "a part of the path begins with a space, or ends with a space or a dot, which Windows drops",
    someIn((part) => /^\s|[\s.]$/.test(part)),
  ],
  [
    "a part of the path is the name of a device on Windows",
    someIn((part) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part)),
  ],
  [
    `a part of the path is longer than ${PART_BYTES_MAX} bytes`,
    someIn((part) => Buffer.byteLength(part) > PART_BYTES_MAX),
  ],
];

/** The same for names that a file system without case, or with its own Unicode form, takes for one. */
export function foldedPath(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

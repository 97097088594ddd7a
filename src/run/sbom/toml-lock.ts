import {
  assertCountable,
  assertReadable,
  type Ecosystem,
  isName,
  type SbomPackage,
} from "./sbom-package.ts";

const LINE_CHARS_MAX = 4_000;

interface Block {
  name: string;
  version: string | undefined;
  readonly hashes: string[];
}

/** `Cargo.lock`: each package with the hash of the one file it is. */
export function readCargoLock(text: string): SbomPackage[] {
  return readBlocks(text, "cargo", "Cargo.lock");
}

/** `poetry.lock` and `uv.lock`: packages whose wheels for other machines are listed, too. */
export function readPythonLock(text: string): SbomPackage[] {
  return readBlocks(text, "pypi", "the lockfile");
}

/** Both are blocks of lines, one block a package; tools write them, so that lines are regular. */
function readBlocks(text: string, ecosystem: Ecosystem, what: string): SbomPackage[] {
  assertReadable(text, what);
  const blocks: Block[] = [];
  let isInside = false;
  for (const whole of text.split("\n")) {
    const line = whole.slice(0, LINE_CHARS_MAX).trimEnd();
    const header = /^\[{1,2}([\w."-]{1,200})\]{1,2}$/.exec(line);
    if (header !== null) {
      const isNew = line === "[[package]]";
      if (isNew) blocks.push({ name: "", version: undefined, hashes: [] });
      isInside = isNew;
      continue;
    }
    const block = blocks.at(-1);
    if (isInside && block !== undefined) readLine(block, line);
  }
  const packages = blocks.flatMap((block) => toPackage(block, ecosystem));
  assertCountable(packages, what);
  return packages;
}

function readLine(block: Block, line: string): void {
  const pair = /^(name|version|checksum) = "([^"]{1,500})"/.exec(line);
  if (pair?.[1] === "name") block.name = pair[2] ?? "";
  else if (pair?.[1] === "version") block.version = pair[2];
  const hash = /(?:^checksum = "|\bhash = "sha256:)([0-9a-f]{64})"/.exec(line);
  if (hash?.[1] !== undefined) block.hashes.push(hash[1]);
}

function toPackage({ name, version, hashes }: Block, ecosystem: Ecosystem): SbomPackage[] {
  if (!isName(name)) return [];
  const [hex, ...more] = hashes;
  // Of several files it is not known which one was installed.
  const isSure = hex !== undefined && more.length === 0;
  const checksum = isSure ? { checksum: { algorithm: "SHA256" as const, hex } } : {};
  return [{ ecosystem, name, version, licence: undefined, ...checksum }];
}

import { isManifest, type PartDeed } from "../../claim/index.ts";
import { fileKind } from "../../scan/kind/index.ts";
import type { Observation } from "../../schema/observation.ts";
import type { SourceTree } from "../../verify/citation/index.ts";

/** What came of something that was said of a change; the change alone says so. */
export interface OfChange {
  readonly verdict: "confirmed" | "refuted" | "unverified";
  readonly why: string;
}

/** A change, and the source after it and before it. */
export interface ChangeSeen {
  readonly trees: readonly SourceTree[];
  readonly changed: Observation["changed"];
}

const WHAT_IS_NEEDED = "what the project needs";
const FILES_MAX = 3_000;
const BYTES_MAX = 32 << 20;
/** What is larger is no source that somebody wrote. */
const FILE_BYTES_MAX = 1 << 20;

/** The texts of files by their paths, after the change and before it. */
interface Texts {
  readonly now: ReadonlyMap<string, string>;
  readonly before: ReadonlyMap<string, string>;
}

/**
 * Holds what is said of a function, or of what a project needs, against the text of files. That a name is there is no
 * proof of what was done to it; that it is nowhere is one that it was not added. Undefined where nothing is wrong, and
 * nothing is shown.
 */
export async function judgePart(said: PartDeed, seen: ChangeSeen): Promise<OfChange | undefined> {
  const name = coreOf(said);
  if (name === undefined) return undefined;
  if (said.path !== undefined) return judgeInFile(said, name, await textsAt(said.path, seen));
  if (said.isDependency) return judgeNeed(said, name, await manifestsOf(seen));
  return judgeFunction(said, name, seen);
}

/** The word that has to stand in the source: the last one of `Cart.total()`, the longest one of `--dry-run`. */
function coreOf({ name, isDependency }: PartDeed): string | undefined {
  if (isDependency) return name;
  const call = /^([\p{L}_$][\p{L}\p{N}_$.:]*)\(/u.exec(name)?.[1];
  if (call !== undefined) return call.split(/[.:]+/).at(-1);
  const words = name.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return words.toSorted((one, other) => other.length - one.length)[0];
}

function judgeInFile(said: PartDeed, name: string, texts: Texts): OfChange | undefined {
  const { path: file = "", how } = said;
  if (texts.now.size === 0) return undefined;
  if (said.isDependency) return judgeNeed(said, name, texts);
  const [there, was] = [countIn(texts.now, name), countIn(texts.before, name)];
  if (how === "deleted") {
    if (was === 0) return unverified(`nothing in ${file} was called ${name}`);
    return there < was ? confirmed(`${name} is no longer in ${file}`) : undefined;
  }
  if (there === 0 && (was === 0 || how === "added")) {
    return unverified(`nothing in ${file} is called ${name}`);
  }
  const isNew = how === "added" && was === 0;
  return isNew ? confirmed(`${file} has ${name}, and had it not before`) : undefined;
}

/** By the files that say what a project needs, one that was named or any. */
function judgeNeed(said: PartDeed, name: string, { now, before }: Texts): OfChange | undefined {
  if (now.size === 0) return unverified("no file here says what the project needs");
  if (said.how === "deleted") return judgeGone(said, name, { now, before });
  const place = said.path ?? WHAT_IS_NEEDED;
  if (![...now.values()].some((text) => alike(text).includes(alike(name)))) {
    // Where no file was named it may be in one that nothing here knows.
    const why = `${place} does not name ${name}`;
    return said.path === undefined ? unverified(why) : refuted(why);
  }
  const [lines, old] = [linesWith(now, name), linesWith(before, name)];
  if (lines.join("\n") === old.join("\n")) {
    return unverified(`${place} names ${name} as it did before`);
  }
  if (old.length === 0) return confirmed(`${place} names ${name}, and did not before`);
  return said.how === "added"
    ? undefined
    : confirmed(`${place} names ${name} otherwise than before`);
}

function judgeGone({ path }: PartDeed, name: string, { now, before }: Texts): OfChange | undefined {
  const place = path ?? WHAT_IS_NEEDED;
  const [lines, old] = [linesWith(now, name), linesWith(before, name)];
  if (lines.length < old.length) return confirmed(`${name} is no longer in ${place}`);
  if (lines.length === 0) return unverified(`${place} did not name ${name}`);
  const still = [...now].find(([file, text]) => needsOf(file, text)?.has(name));
  const why = `${still?.[0] ?? place} still names ${name}`;
  return path !== undefined && still !== undefined ? refuted(why) : unverified(why);
}

/** A function that is in no changed file was hardly changed; what it calls may have been. */
async function judgeFunction(
  { how }: PartDeed,
  name: string,
  seen: ChangeSeen,
): Promise<OfChange | undefined> {
  const paths = seen.changed.map(({ path }) => path);
  const { now, before } = await textsOf(paths, seen);
  const [there, was] = [countIn(now, name), countIn(before, name)];
  if (there + was > 0) {
    return how === "added" && was === 0
      ? confirmed(`${name} is there, and was not before`)
      : undefined;
  }
  if (paths.length > 0) return unverified(`no file that was changed has ${name} in it`);
  const [place] = await placesOf(name, seen);
  return place === undefined
    ? unverified(`nothing in the source is called ${name}`)
    : refuted(`nothing was changed, and so not ${place}, where ${name} is`);
}

const unverified = (why: string): OfChange => ({ verdict: "unverified", why });
const confirmed = (why: string): OfChange => ({ verdict: "confirmed", why });
const refuted = (why: string): OfChange => ({ verdict: "refuted", why });

/** Files of the source in which a name stands. */
async function placesOf(name: string, { trees }: ChangeSeen): Promise<string[]> {
  const paths = (await trees[0]?.paths()) ?? [];
  const code = paths.filter((path) => fileKind(path, "").form === "code");
  const { now } = await textsOf(code, { trees: trees.slice(0, 1) });
  return [...now].filter(([, text]) => text.includes(name)).map(([path]) => path);
}

/** A path as somebody calls it: the whole one, or the end of it. A bare name is of any file that is called so. */
async function textsAt(path: string, seen: ChangeSeen): Promise<Texts> {
  const all = new Set<string>();
  for (const tree of seen.trees) for (const one of await tree.paths()) all.add(one);
  const meant =
    path.includes("/") && all.has(path)
      ? [path]
      : [...all].filter((one) => `/${one}`.endsWith(`/${path}`));
  return textsOf(meant, seen);
}

async function manifestsOf(seen: ChangeSeen): Promise<Texts> {
  const all = new Set<string>();
  for (const tree of seen.trees)
    for (const one of await tree.paths()) if (isManifest(one)) all.add(one);
  return textsOf([...all], seen);
}

async function textsOf(
  paths: readonly string[],
  { trees }: Pick<ChangeSeen, "trees">,
): Promise<Texts> {
  const [now, before] = [new Map<string, string>(), new Map<string, string>()];
  let left = BYTES_MAX;
  for (const path of paths.slice(0, FILES_MAX)) {
    for (const [at, texts] of [now, before].entries()) {
      const entry = left > 0 ? await trees[at]?.find(path) : undefined;
      if (entry?.kind !== "file" || entry.bytes.length > FILE_BYTES_MAX) continue;
      left -= entry.bytes.length;
      texts.set(path, Buffer.from(entry.bytes).toString("utf8"));
    }
  }
  return { now, before };
}

/** Names of packages are written in more ways than one: `PyYAML`, `ruamel_yaml`. */
const alike = (text: string): string => text.toLowerCase().replace(/[_.-]/g, "-");

const wordOf = (name: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_/@.-])${name.replace(/[$.*+?()[\]{}|^\\/-]/g, "\\$&")}(?![\\p{L}\\p{N}_/-])`,
    "iu",
  );

function linesWith(texts: ReadonlyMap<string, string>, name: string): string[] {
  const word = wordOf(name);
  return [...texts].flatMap(([path, text]) =>
    text.split("\n").flatMap((line) => (word.test(line) ? [`${path}: ${line.trim()}`] : [])),
  );
}

function countIn(texts: ReadonlyMap<string, string>, name: string): number {
  return [...texts.values()].reduce((sum, text) => sum + text.split(name).length - 1, 0);
}

const SECTIONS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** What a `package.json` says that its project needs, by name; undefined where it is no such file. */
export function needsOf(path: string, text: string): ReadonlyMap<string, string> | undefined {
  if (!/(?:^|\/)package\.json$/.test(path)) return undefined;
  try {
    const all: unknown = JSON.parse(text);
    const given = (key: string): unknown =>
      typeof all === "object" && all !== null ? Reflect.get(all, key) : undefined;
    return new Map(
      SECTIONS.map(given).flatMap((section) =>
        typeof section === "object" && section !== null
          ? Object.entries(section).map(([name, version]) => [name, String(version)] as const)
          : [],
      ),
    );
  } catch {
    // A file in another form says nothing here.
    return undefined;
  }
}

/** One of this project's own folders is no other's. */
const OWN = /^(?:workspace|file|link|portal):/;

/** What a change has a project need that it did not need before, as far as a `package.json` says so. */
export async function newNeeds(seen: ChangeSeen): Promise<readonly string[]> {
  const { now, before } = await textsOf(
    seen.changed.map(({ path }) => path).filter((path) => /(?:^|\/)package\.json$/.test(path)),
    seen,
  );
  const old = new Set(
    [...before].flatMap(([path, text]) => [...(needsOf(path, text)?.keys() ?? [])]),
  );
  return [...now].flatMap(([path, text]) =>
    [...(needsOf(path, text) ?? [])].flatMap(([name, version]) =>
      before.has(path) && !old.has(name) && !OWN.test(version) ? [`${path} names ${name} now`] : [],
    ),
  );
}

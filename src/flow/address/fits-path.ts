import type { Entry } from "../../schema/index.ts";
import { messageIdOf } from "../../view/index.ts";

const ARTIFACT = "artifact";
const ENTRY = "entry";
const MESSAGE = "message";

/** A path of an address, taken apart: what the entry is about, and which bytes of it are meant. */
export interface SoughtThing {
  /** Empty for any entry; a noun alone for any of its kind; a noun and a name for one of them. */
  readonly about: readonly string[];
  readonly artifact?: string | undefined;
}

/** Splits a path at its artifact, where it ends with one. */
export function soughtThing(path: readonly string[]): SoughtThing {
  const isBytes = path.length >= 2 && path.at(-2) === ARTIFACT;
  return isBytes ? { about: path.slice(0, -2), artifact: path.at(-1) } : { about: path };
}

/**
 * Whether an entry is about what is sought: `claim/c1` is every entry whose body names the claim c1,
 * so that its first one issues it and its last one says how it stands. This holds for whatever
 * types of entries there are or will be.
 */
export function fits(entry: Entry, { about, artifact }: SoughtThing): boolean {
  return isAbout(entry, about) && (artifact === undefined || carries(entry, artifact));
}

function isAbout(entry: Entry, about: readonly string[]): boolean {
  const [noun, name, ...rest] = about;
  if (rest.length > 0) return false;
  if (noun === undefined) return true;
  if (noun === ENTRY) return name === undefined || String(entry.seq) === name;
  if (noun === MESSAGE && name !== undefined) return messageIdOf(entry.seq) === name;
  const value = named(entry, noun);
  if (name === undefined) return value !== undefined || entry.type.startsWith(`${noun}_`);
  return value === name;
}

/** How an entry calls the thing of this kind that it is about. */
function named({ body }: Entry, noun: string): string | undefined {
  const key = `${noun}_id`;
  const value: unknown = Object.hasOwn(body, key) ? Reflect.get(body, key) : undefined;
  return typeof value === "string" ? value : undefined;
}

function carries({ artifacts }: Entry, wanted: string): boolean {
  return artifacts.some(({ name, hash }) => name === wanted || hash === wanted);
}

/** The path of what an entry is, as its kind of thing is called: the first of its names that fits its type. */
export function pathOf(entry: Entry): string[] {
  const noun = NOUNS.find((one) => named(entry, one) !== undefined && isItsOwn(entry, one));
  if (noun !== undefined) return [noun, named(entry, noun) ?? ""];
  return entry.type === "message_posted" ? [MESSAGE, messageIdOf(entry.seq)] : [ENTRY];
}

/** What things are called; the type of an entry that is about one begins with or holds its name. */
const NOUNS = [
  ...["fact", "decision", "question", "claim", "challenge", "finding", "verification"],
  ...["exception", "proposal", "intent", "execution", "run", "vote", "submission"],
];

function isItsOwn({ type }: Entry, noun: string): boolean {
  return type.split("_").includes(noun);
}

/** Longest address that is read, in characters; what is longer is no address. */
export const ADDRESS_CHARS_MAX = 2_048;
/** How every address begins. */
export const SCHEME = "ucxl://";
/** The word that stands for whatever there is. */
export const ANY = "any";
/** Most parts that a path may have. */
export const PATH_PARTS_MAX = 32;

const STEPS_MAX = 999_999_999;
/** Agent, role, project and task: what our names and ids are made of, and nothing that needs escaping. */
const WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const COUNTED = /^(\*~|~~|\^\^)(0|[1-9][0-9]{0,8})$/;
const DIGEST = /^sha256:([0-9a-f]{64})$/;
const COMMIT = /^git:([0-9a-f]{40}|[0-9a-f]{64})$/;
const MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{3})?Z$/;
/** What stands in an address as it is; everything else is written as the bytes of its UTF-8. */
const PLAIN = /[A-Za-z0-9._~-]/;
const QUERY = /^[A-Za-z0-9._~:@/?=&+,-]{0,512}$/;

/** Which of the recorded things that an address fits is meant. */
export type When =
  /** `*^`: the last one. `*~`: the first one. Both move, or may, as more is recorded. */
  | { readonly kind: "latest" | "first" }
  /** `~~3`: three before the last. `^^3`: three after the first. `*~3`: entry 3. */
  | { readonly kind: "back" | "forward" | "entry"; readonly number: number }
  /** The last one that was recorded by then. */
  | { readonly kind: "moment"; readonly at: string }
  /** `sha256:…`: the entry whose line has this hash. */
  | { readonly kind: "digest"; readonly digest: string }
  /** `git:…`: the project's files as they are in this commit. */
  | { readonly kind: "commit"; readonly commit: string };

/** Where something recorded is to be found: who made it, in which project and task, when, and what. */
export interface Address {
  readonly agent: string;
  readonly role: string;
  readonly project: string;
  readonly task: string;
  readonly when: When;
  /** What it is: `["fact", "login-port"]`, `["file", "src", "a.ts"]`. Empty for any entry. */
  readonly path: readonly string[];
  readonly query?: string | undefined;
  readonly fragment?: string | undefined;
}

/** An address, or in words what is wrong with what was to be one. */
export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly wrong: string };

/**
 * Reads an address. It has one spelling: whatever would be printed otherwise is refused, with the right
 * one, so that addresses can be compared as texts. Costs one pass over a bounded text.
 */
export function parseAddress(text: string): ParsedAddress {
  try {
    const address = taken(text);
    const right = printAddress(address);
    return right === text ? { ok: true, address } : no(`expected it spelled ${right}`);
  } catch (error) {
    if (error instanceof Wrong) return no(error.message);
    throw error;
  }
}

/** The one spelling of an address. What {@link parseAddress} gave is printed as it was. */
export function printAddress(address: Address): string {
  const { agent, role, project, task, when, path, query, fragment } = address;
  const place = `${SCHEME}${agent}:${role}@${project}:${task}`;
  const parts = [printWhen(when), ...path.map(escaped)].join("/");
  const asked = query === undefined ? "" : `?${query}`;
  return `${place}/${parts}${asked}${fragment === undefined ? "" : `#${escaped(fragment)}`}`;
}

/**
 * Whether an address can never come to mean something else: it names a digest. A number or a moment
 * does not do: another store could have another entry there.
 */
export function isImmutable({ when }: Address): boolean {
  return when.kind === "digest" || when.kind === "commit";
}

/** Says why a text cannot be cited where something is proposed as done; undefined when it can be. */
export function whyNotCitable(text: string): string | undefined {
  const parsed = parseAddress(text);
  if (!parsed.ok) return parsed.wrong;
  if (isImmutable(parsed.address)) return undefined;
  return "it may come to mean something else: expected sha256:… or git:… after the task";
}

class Wrong extends Error {}

const no = (wrong: string): ParsedAddress => ({ ok: false, wrong });

function taken(text: string): Address {
  if (text.length > ADDRESS_CHARS_MAX) {
    throw new Wrong(`expected at most ${ADDRESS_CHARS_MAX} characters, found ${text.length}`);
  }
  if (!text.startsWith(SCHEME)) throw new Wrong(`expected it to begin with ${SCHEME}`);
  const [whole = "", ...fragments] = text.slice(SCHEME.length).split("#");
  const [place = "", ...queries] = whole.split("?");
  if (fragments.length > 1 || queries.length > 1)
    throw new Wrong("expected one ? and one # at most");
  const [authority = "", time, ...path] = place.split("/");
  if (time === undefined) throw new Wrong("expected a time after the task, such as /*^");
  if (path.length > PATH_PARTS_MAX) throw new Wrong(`expected at most ${PATH_PARTS_MAX} parts`);
  const [query] = queries;
  const [fragment] = fragments;
  if (query !== undefined && !QUERY.test(query)) throw new Wrong("expected a plain query");
  return {
    ...placeOf(authority),
    when: whenOf(time),
    path: path.map(partOf),
    ...(query === undefined ? {} : { query }),
    ...(fragment === undefined ? {} : { fragment: unescaped(fragment) }),
  };
}

function placeOf(authority: string): Pick<Address, "agent" | "role" | "project" | "task"> {
  const words = authority.split("@").flatMap((side) => side.split(":"));
  const [agent = "", role = "", project = "", task = ""] = words;
  const isWhole = words.length === 4 && authority === `${agent}:${role}@${project}:${task}`;
  if (!isWhole || !words.every((word) => WORD.test(word))) {
    const what = 'letters, digits, ".", "_" and "-", or any';
    throw new Wrong(`expected agent:role@project:task, each of ${what}`);
  }
  return { agent, role, project, task };
}

const COUNTS = { "*~": "entry", "~~": "back", "^^": "forward" } as const;

function whenOf(text: string): When {
  if (text === "*^") return { kind: "latest" };
  if (text === "*~") return { kind: "first" };
  const [, mark, count] = COUNTED.exec(text) ?? [];
  if (mark !== undefined && Number(count) <= STEPS_MAX) {
    return { kind: COUNTS[mark as keyof typeof COUNTS], number: Number(count) };
  }
  const digest = DIGEST.exec(text)?.[1];
  if (digest !== undefined) return { kind: "digest", digest };
  const commit = COMMIT.exec(text)?.[1];
  if (commit !== undefined) return { kind: "commit", commit };
  if (MOMENT.test(text) && isMoment(text)) return { kind: "moment", at: text };
  const forms = "*^, *~, *~N, ~~N, ^^N, a moment in UTC, sha256:<hash> or git:<commit>";
  throw new Wrong(`expected a time after the task: ${forms}`);
}

/** The thirtieth of February is none. */
function isMoment(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 19));
}

function printWhen(when: When): string {
  switch (when.kind) {
    case "latest":
      return "*^";
    case "first":
      return "*~";
    case "entry":
      return `*~${when.number}`;
    case "back":
      return `~~${when.number}`;
    case "forward":
      return `^^${when.number}`;
    case "moment":
      return when.at;
    case "digest":
      return `sha256:${when.digest}`;
    case "commit":
      return `git:${when.commit}`;
  }
}

function partOf(text: string): string {
  const part = unescaped(text);
  // A path that leads upwards would be one, wherever it is used later.
  if (part === "" || part === "." || part === ".." || /[/\\\0]/.test(part)) {
    throw new Wrong("expected a path without empty parts, . or .., slashes or zeros inside of one");
  }
  return part;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Wrong("expected each % to begin the bytes of a letter in UTF-8");
  }
}

function escaped(text: string): string {
  return [...text].map((letter) => (PLAIN.test(letter) ? letter : percent(letter))).join("");
}

function percent(letter: string): string {
  const bytes = new TextEncoder().encode(letter);
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

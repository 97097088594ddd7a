import { EXCEPTION_IDS, LICENCE_IDS } from "./licence-ids.ts";

/** A licence statement as a tree: one of these, all of these, or a single name. */
export type Licence =
  | { readonly kind: "and" | "or"; readonly parts: readonly Licence[] }
  | {
      readonly kind: "name";
      /** The SPDX id; undefined when the name is none. */
      readonly id: string | undefined;
      readonly name: string;
      /** An exception of SPDX's list. */
      readonly exception?: string;
      /** An exception that is on no list, in its own words. */
      readonly ownException?: string;
    };

const TEXT_CHARS_MAX = 4_000;
const LEVELS_MAX = 32;

/** Debian's short names, and others that everybody reads the same way. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["expat", "MIT"],
  ["apache 2.0", "Apache-2.0"],
  ["apache-2", "Apache-2.0"],
  ["apache license 2.0", "Apache-2.0"],
  ["apache license, version 2.0", "Apache-2.0"],
  ["mit license", "MIT"],
  ["the mit license", "MIT"],
  ["bsd-2-clause", "BSD-2-Clause"],
  ["bsd-3-clause", "BSD-3-Clause"],
  ["zlib/libpng", "Zlib"],
  ["psf-2", "PSF-2.0"],
  ["mpl 2.0", "MPL-2.0"],
]);
const IDS_BY_FOLDED: ReadonlyMap<string, string> = new Map(
  LICENCE_IDS.map((id) => [id.toLowerCase(), id]),
);

const EXCEPTIONS_BY_FOLDED: ReadonlyMap<string, string> = new Map(
  EXCEPTION_IDS.map((id) => [id.toLowerCase(), id]),
);

/** Reads a statement in whatever spelling; what is no expression is one name as a whole. */
export function parseLicence(text: string): Licence {
  const cut = text.slice(0, TEXT_CHARS_MAX).trim();
  const whole = toName(cut);
  if (whole.id !== undefined) return whole;
  const tokens = cut
    .replace(/[()]/g, " $& ")
    .split(/\s+/)
    .filter((one) => one !== "");
  const reading = new Reading(tokens);
  const parsed = reading.any(0);
  return parsed !== undefined && reading.isAtEnd ? parsed : whole;
}

/** `GPL-2+` is how Debian says "or later"; a plain `GPL-2` says "only". */
function idOf(name: string): string | undefined {
  const folded = name.toLowerCase();
  const known = IDS_BY_FOLDED.get(folded) ?? ALIASES.get(folded);
  if (known !== undefined) return known;
  const gnu = /^(a?gpl|lgpl|gfdl)-?v?(\d)(?:\.(\d))?(?:\.0)?(\+?)$/.exec(folded);
  if (gnu === null) return undefined;
  const [, family = "", major = "", minor = "0", later = ""] = gnu;
  const id = `${family}-${major}.${minor}-${later === "+" ? "or-later" : "only"}`;
  return IDS_BY_FOLDED.get(id);
}

function toName(name: string): Licence & { kind: "name" } {
  return { kind: "name", id: idOf(name), name };
}

/** The grammar of SPDX expressions, with `or` and `and` in any case and `/` for "or". */
class Reading {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens.flatMap((token) => {
      const isTwo = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(token);
      return isTwo
        ? token.split("/").flatMap((part, at) => (at === 0 ? [part] : ["OR", part]))
        : [token];
    });
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Alternatives; "and" binds closer than "or". */
  any(level: number): Licence | undefined {
    return this.#list("or", () => this.#list("and", () => this.#single(level)));
  }

  #list(kind: "and" | "or", next: () => Licence | undefined): Licence | undefined {
    const parts: Licence[] = [];
    do {
      const part = next();
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.#take(kind));
    return parts.length === 1 ? parts[0] : { kind, parts };
  }

  #take(word: string): boolean {
    const isNext = this.#tokens[this.#at]?.toLowerCase() === word;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #single(level: number): Licence | undefined {
    if (level > LEVELS_MAX) return undefined;
    if (this.#take("(")) {
      const inside = this.any(level + 1);
      return this.#take(")") ? inside : undefined;
    }
    const words = this.#words();
    if (words === "") return undefined;
    const name = toName(words);
    if (!this.#take("with")) return name;
    const exception = this.#words();
    return exception === "" ? undefined : withException(name, exception);
  }

  /** Up to the next word of the grammar: names have blanks in them, outside SPDX. */
  #words(): string {
    const words: string[] = [];
    while (!this.isAtEnd && !/^(?:and|or|with|[()])$/i.test(this.#tokens[this.#at] ?? "")) {
      words.push(this.#tokens[this.#at] ?? "");
      this.#at += 1;
    }
    return words.join(" ");
  }
}

function withException(name: Licence & { kind: "name" }, words: string): Licence {
  const exception = EXCEPTIONS_BY_FOLDED.get(words.toLowerCase().replaceAll(" ", "-"));
  return exception === undefined ? { ...name, ownException: words } : { ...name, exception };
}

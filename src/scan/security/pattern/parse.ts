import {
  ANY,
  type Charset,
  charOf,
  classOf,
  END,
  foldCase,
  NEWLINE,
  NONE,
  rangeOf,
  START,
} from "./charset.ts";

/** A pattern as a tree. Lookarounds and backreferences are simplified, see the parser. */
export type Pattern =
  | { readonly kind: "set"; readonly set: Charset }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly options: readonly Pattern[] }
  | {
      readonly kind: "repeat";
      readonly body: Pattern;
      readonly least: number;
      readonly most: number;
    }
  /** Reads nothing and asks that the character before is one of these. */
  | { readonly kind: "after"; readonly set: Charset }
  /** Reads nothing and asks for the edge of a word. */
  | { readonly kind: "edge" }
  /** Reads nothing and asks that none of these comes next; `only` where nothing else is asked. */
  | { readonly kind: "denial"; readonly set: Charset; readonly only: boolean };

const EMPTY: Pattern = { kind: "sequence", parts: [] };
const DEPTH_MAX = 50;
const CONTROL: Record<string, number> = { n: 10, r: 13, t: 9, v: 11, f: 12, b: 8 };

/** Reads a pattern; undefined when it is broken or too deep, which is no finding. */
export function parsePattern(source: string, flags: string): Pattern | undefined {
  try {
    return new PatternReader(source, flags).read();
  } catch (error) {
    // Only the reader's own refusals are expected; anything else is a bug of ours.
    if (error instanceof UnreadablePattern) return undefined;
    throw error;
  }
}

class UnreadablePattern extends Error {}

class PatternReader {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;
  #depth = 0;
  /** The characters that a group can have read, for groups that read one. */
  readonly #captured: (Charset | undefined)[] = [];

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  read(): Pattern {
    const pattern = this.#choice();
    if (this.#at < this.#source.length) throw new UnreadablePattern("unbalanced");
    return pattern;
  }

  #peek(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  #choice(): Pattern {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new UnreadablePattern("too deep");
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    this.#depth -= 1;
    return options.length === 1 ? (options[0] ?? EMPTY) : { kind: "choice", options };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#source.length && !this.#peek("|") && !this.#peek(")")) {
      const denied = parts.at(-1);
      const atom = this.#atom();
      if (denied?.kind === "denial" && atom.kind === "set")
        parts.push(this.#quantifiedAfter(denied.set, atom.set));
      else parts.push(this.#quantified(atom));
    }
    return { kind: "sequence", parts };
  }

  /** `(?!x).` reads what is no x; of a repetition that holds for the first character only. */
  #quantifiedAfter(denied: Charset, set: Charset): Pattern {
    const whole = this.#quantified({ kind: "set", set });
    return whole.kind === "set" ? { kind: "set", set: set & ~denied } : whole;
  }

  #quantified(body: Pattern): Pattern {
    const bounds = this.#bounds();
    if (bounds === undefined) return body;
    if (!this.#take("?")) this.#take("+");
    return { kind: "repeat", body, least: bounds[0], most: bounds[1] };
  }

  #bounds(): [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    const counted = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(this.#source.slice(this.#at, this.#at + 20));
    if (counted === null) return undefined;
    this.#at += counted[0].length;
    const least = Number(counted[1]);
    if (counted[2] === undefined) return [least, least];
    return [least, counted[3] === "" || counted[3] === undefined ? Infinity : Number(counted[3])];
  }

  #atom(): Pattern {
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#set(this.#bracket());
    if (this.#take("\\")) return this.#escape();
    return this.#plain(this.#next());
  }

  #plain(char: string): Pattern {
    const line = this.#flags.includes("m") ? NEWLINE : NONE;
    switch (char) {
      case ".":
        return this.#set(this.#flags.includes("s") ? ANY : ANY & ~NEWLINE);
      case "^":
        return { kind: "set", set: START | line };
      case "$":
        return { kind: "set", set: END | line };
      default:
        return this.#set(charOf(char.codePointAt(0) ?? 0));
    }
  }

  #next(): string {
    const char = this.#source[this.#at];
    if (char === undefined) throw new UnreadablePattern("ends too early");
    this.#at += 1;
    return char;
  }

  #set(set: Charset): Pattern {
    return { kind: "set", set: this.#flags.includes("i") ? foldCase(set) : set };
  }

  /** A lookahead at the end decides over the match and is kept; elsewhere it reads nothing. */
  #group(): Pattern {
    const look = ["?=", "?!", "?<!", "?<="].find((head) => this.#take(head));
    const isCaptured = look === undefined && !this.#peek("?");
    const place = isCaptured ? this.#captured.push(undefined) - 1 : undefined;
    if (look === undefined && this.#peek("?")) this.#groupHead();
    const inner = this.#choice();
    if (!this.#take(")")) throw new UnreadablePattern("open group");
    if (place !== undefined) this.#captured[place] = onlyOf(inner);
    const isLast = this.#at >= this.#source.length;
    switch (look) {
      case "?=":
        return isLast ? inner : EMPTY;
      case "?!":
        return { kind: "denial", set: firstOf(inner), only: onlyOf(inner) !== undefined };
      case "?<=":
        return { kind: "after", set: onlyOf(inner) ?? ANY };
      case "?<!":
        return { kind: "after", set: ANY & ~(onlyOf(inner) ?? NONE) };
      default:
        return inner;
    }
  }

  #groupHead(): void {
    const head = /^\?(?::|>|P?<[A-Za-z_$][\w$]{0,60}>|[a-z-]{1,10}:)/.exec(
      this.#source.slice(this.#at, this.#at + 80),
    );
    if (head === null) throw new UnreadablePattern("unknown group");
    this.#at += head[0].length;
  }

  /** A backreference reads what its group has read, which is known only where that is one character. */
  #escape(): Pattern {
    const letter = this.#next();
    if (letter === "k") return this.#set(ANY);
    if (/[1-9]/.test(letter)) return this.#set(this.#captured[Number(letter) - 1] ?? ANY);
    if (letter === "b") return { kind: "edge" };
    if (letter === "B") return EMPTY;
    if (letter === "A") return { kind: "set", set: START };
    if (letter === "Z" || letter === "z") return { kind: "set", set: END };
    return this.#set(classOf(letter) ?? charOf(this.#escapedCode(letter)));
  }

  #escapedCode(letter: string): number {
    const rest = this.#source.slice(this.#at, this.#at + 8);
    const digits =
      letter === "x"
        ? /^[\da-f]{2}/i
        : letter === "u"
          ? /^(?:[\da-f]{4}|\{[\da-f]{1,6}\})/i
          : /^$a/;
    const found = digits.exec(rest)?.[0];
    if (found !== undefined) {
      this.#at += found.length;
      return Number.parseInt(found.replace(/[{}]/g, ""), 16);
    }
    if (/[pP]/.test(letter) && rest.startsWith("{")) {
      this.#at += Math.max(0, rest.indexOf("}") + 1);
      return 0x4e00;
    }
    if (letter === "0") return 0;
    return CONTROL[letter] ?? letter.codePointAt(0) ?? 0;
  }

  #bracket(): Charset {
    const isNegated = this.#take("^");
    let set = NONE;
    let isFirst = true;
    while (!this.#take("]") || (isFirst && this.#flags.includes("P"))) {
      isFirst = false;
      set |= this.#bracketItem();
    }
    const folded = this.#flags.includes("i") ? foldCase(set) : set;
    return isNegated ? ANY & ~folded : folded;
  }

  #bracketItem(): Charset {
    const from = this.#bracketCode();
    if (typeof from === "bigint") return from;
    const isRange = this.#peek("-") && this.#source[this.#at + 1] !== "]";
    if (!isRange) return charOf(from);
    this.#take("-");
    const to = this.#bracketCode();
    if (typeof to === "bigint") return charOf(from) | charOf(45) | to;
    return rangeOf(from, Math.max(from, to));
  }

  #bracketCode(): number | Charset {
    const char = this.#next();
    if (char !== "\\") return char.codePointAt(0) ?? 0;
    const letter = this.#next();
    return classOf(letter) ?? this.#escapedCode(letter);
  }
}

/**
 * The characters that a denied text starts with. Leaving all of them out is a little more than the
 * denial does: what stands for the end of a text is then met by nothing before it.
 */
function firstOf(pattern: Pattern): Charset {
  switch (pattern.kind) {
    case "set":
      // What is not known denies nothing that could be told.
      return (pattern.set & ANY) === ANY ? NONE : pattern.set & ANY;
    case "sequence":
      return pattern.parts[0] === undefined ? NONE : firstOf(pattern.parts[0]);
    case "choice":
      return pattern.options.reduce((set, option) => set | firstOf(option), NONE);
    case "repeat":
      return pattern.least > 0 ? firstOf(pattern.body) : NONE;
    default:
      return NONE;
  }
}

/** The characters of which a lookbehind reads exactly one; undefined for longer ones. */
function onlyOf(pattern: Pattern): Charset | undefined {
  if (pattern.kind === "set") return pattern.set & ANY;
  if (pattern.kind === "sequence")
    return pattern.parts.length === 1 && pattern.parts[0] ? onlyOf(pattern.parts[0]) : undefined;
  if (pattern.kind !== "choice") return undefined;
  const options = pattern.options.map((option) => onlyOf(option));
  return options.some((option) => option === undefined)
    ? undefined
    : options.reduce<Charset>((set, option) => set | (option ?? NONE), NONE);
}

import type { PythonToken } from "./python-tokens.ts";

type Tokens = readonly PythonToken[];
const NESTING_MAX = 50;
const SAME_HOLDS = ["==", "<=", ">=", "is"] as const;
const COMPARISONS = [...SAME_HOLDS, "!=", "<", ">", "in"] as const;

/**
 * Whether an expression is true whatever `result` is: a constant, a comparison of something with
 * itself, a display with something in it, an `or` with such a part. It knows the ways in which
 * checks are usually made empty; what it does not know, it takes for a check.
 */
export function isAlwaysTrue(tokens: Tokens, nesting = 0): boolean {
  // What is wrapped deeper than any real check hides something.
  if (nesting > NESTING_MAX) return true;
  if (tokens.length === 0) return false;
  const inner = unwrapped(tokens);
  if (inner !== undefined) return isAlwaysTrue(inner, nesting + 1);
  if (has(tokens, "if")) {
    const [yes = [], rest = []] = splitAt(tokens, "if");
    const no = splitAt(rest, "else")[1] ?? [];
    return isAlwaysTrue(yes, nesting + 1) && isAlwaysTrue(no, nesting + 1);
  }
  if (has(tokens, "or")) {
    const either = splitAt(tokens, "or");
    return (
      // A part that does not look at result is always the same: true, or of no use.
      either.some((part) => !isAboutResult(part) || isAlwaysTrue(part, nesting + 1)) ||
      hasOpposites(either)
    );
  }
  if (has(tokens, "and")) {
    return splitAt(tokens, "and").every((part) => isAlwaysTrue(part, nesting + 1));
  }
  if (isWord(tokens[0], "not")) return isAlwaysFalse(tokens.slice(1), nesting + 1);
  return (
    isConstant(tokens) ||
    isFilledDisplay(tokens) ||
    comparesItself(tokens) ||
    isTautology(tokens) ||
    isAddedText(tokens)
  );
}

function isAlwaysFalse(tokens: Tokens, nesting: number): boolean {
  if (nesting > NESTING_MAX) return true;
  if (tokens.length === 0) return false;
  const inner = unwrapped(tokens);
  if (inner !== undefined) return inner.length === 0 || isAlwaysFalse(inner, nesting + 1);
  if (isWord(tokens[0], "not")) return isAlwaysTrue(tokens.slice(1), nesting + 1);
  const text = spelt(tokens);
  if (/^(?:False|None|0+(?:\.0*)?|\[ \]|\{ \})$/.test(text)) return true;
  if (tokens.length === 1 && tokens[0]?.kind === "text") return isEmptyText(tokens[0].text);
  const halves = splitAt(tokens, "!=");
  return halves.length === 2 && spelt(halves[0] ?? []) === spelt(halves[1] ?? []);
}

/** `True`, a number that is not zero, a text with something in it. */
function isConstant(tokens: Tokens): boolean {
  const [only] = tokens;
  if (only === undefined || tokens.length > 1) {
    return tokens.length > 0 && tokens.every(({ kind }) => kind === "text");
  }
  if (only.kind === "text") return !isEmptyText(only.text);
  if (only.kind === "number") return !/^0+(?:\.0*)?$/.test(only.text);
  return only.text === "True" || only.text === "Ellipsis" || only.text === "__debug__";
}

function isEmptyText(text: string): boolean {
  return /^[a-z]*(?:""|''|""""""|'''''')$/i.test(text);
}

/** `[x]`, `{x}`, `(x,)`: true because there is something in it, whatever that is. */
function isFilledDisplay(tokens: Tokens): boolean {
  const [first] = tokens;
  if (first === undefined || !/^[[{(]$/.test(first.text) || !isOneBracket(tokens)) return false;
  const inside = tokens.slice(1, -1);
  const isComprehension = inside.some(
    ({ text, depth }) => text === "for" && depth === first.depth + 1,
  );
  if (isComprehension || inside.length === 0) return false;
  return (
    first.text !== "(" ||
    inside.some(({ text, depth }) => text === "," && depth === first.depth + 1)
  );
}

/** `str(x) + "y"`: a text with something in it, whatever x is. */
function isAddedText(tokens: Tokens): boolean {
  if (!has(tokens, "+") || COMPARISONS.some((sign) => has(tokens, sign))) return false;
  return splitAt(tokens, "+").some((part) => part.length === 1 && isConstant(part));
}

/** `x == x` and its like, also as `x in [x, y]`. */
function comparesItself(tokens: Tokens): boolean {
  const sign = SAME_HOLDS.find((one) => has(tokens, one));
  if (sign === undefined) return has(tokens, "in") && isInItself(tokens);
  const [first = "", ...others] = splitAt(tokens, sign).map(spelt);
  return first !== "" && others.length > 0 && others.every((side) => side === first);
}

function isInItself(tokens: Tokens): boolean {
  const [left = [], right = []] = splitAt(tokens, "in");
  if (isWord(left.at(-1), "not") || !isFilledDisplay(right)) return false;
  return splitAt(right.slice(1, -1), ",").some((one) => spelt(one) === spelt(left));
}

/** Functions by which such things are written. */
const CALLED: ReadonlySet<string> = new Set([
  "len",
  "isinstance",
  "bool",
  "any",
  "all",
  "type",
  "repr",
  "id",
]);

/** Things that hold for every value there is. */
function isTautology(tokens: Tokens): boolean {
  if (!CALLED.has(tokens[0]?.text ?? "")) return false;
  const text = spelt(tokens);
  if (/^len \( .+ \) (?:>= 0|> - 1|!= - 1)$/.test(text)) return true;
  if (!isOneBracket(tokens.slice(1))) return false;
  if (/^(?:type|repr|id) /.test(text)) return true;
  const [first = [], second = []] = splitAt(tokens.slice(2, -1), ",");
  if (/^isinstance /.test(text)) return second.some((one) => isWord(one, "object"));
  return /^bool /.test(text) ? isAlwaysTrue(first, 1) : isFilledCall(tokens, first);
}

/** `any([True, x])` and `all([])`, where what is listed decides it alone. */
function isFilledCall([called]: Tokens, list: Tokens): boolean {
  if (!/^(?:any|all)$/.test(called?.text ?? "") || !/^[[(]$/.test(list[0]?.text ?? ""))
    return false;
  const inside = list.slice(1, -1);
  if (inside.some((one) => isWord(one, "for"))) return false;
  const parts = splitAt(inside, ",").filter((part) => part.length > 0);
  return called?.text === "any"
    ? parts.some((part) => isAlwaysTrue(part, 1))
    : parts.every((part) => isAlwaysTrue(part, 1));
}

/** `a or not a`, `a is None or a is not None`, `a == b or a != b`. */
function hasOpposites(parts: readonly Tokens[]): boolean {
  const all = new Set(parts.map((part) => spelt(unwrapped(part) ?? part)));
  return [...all].some(
    (text) =>
      all.has(`not ${text}`) ||
      (text.includes(" is not ") && all.has(text.replace(" is not ", " is "))) ||
      (text.includes(" not in ") && all.has(text.replace(" not in ", " in "))) ||
      (text.includes(" != ") && all.has(text.replace(" != ", " == "))),
  );
}

/** What stands in brackets that enclose all of it, unless those make a tuple. */
function unwrapped(tokens: Tokens): Tokens | undefined {
  const [first] = tokens;
  if (first?.text !== "(" || !isOneBracket(tokens)) return undefined;
  const inside = tokens.slice(1, -1);
  const isTuple = inside.some(({ text, depth }) => text === "," && depth === first.depth + 1);
  return isTuple ? undefined : inside;
}

function isOneBracket(tokens: Tokens): boolean {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined || tokens.length < 2) return false;
  if (!/^[)\]}]$/.test(last.text) || first.depth !== last.depth) return false;
  return tokens.slice(1, -1).every(({ depth }) => depth > first.depth);
}

/** Whether a word or sign stands there, at the depth of the whole. */
function has(tokens: Tokens, word: string): boolean {
  const depth = tokens[0]?.depth ?? 0;
  return tokens.some(
    ({ kind, text, depth: own }) => text === word && own === depth && kind !== "text",
  );
}

/** The parts between a word or sign, at the depth of the whole. */
export function splitAt(tokens: Tokens, word: string): Tokens[] {
  const depth = tokens[0]?.depth ?? 0;
  const parts: PythonToken[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    const isSplit =
      token.kind !== "text" &&
      token.text === word &&
      token.depth === depth &&
      // `is not` is another comparison than `is`, and `not in` than `in`.
      !(word === "is" && isWord(tokens[at + 1], "not"));
    if (isSplit) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function isWord(token: PythonToken | undefined, word: string): boolean {
  return token?.kind === "name" && token.text === word;
}

/** An expression in one spelling: `x.get("a")` is `x["a"]`, and quotes are of one kind. */
function spelt(tokens: Tokens): string {
  return tokens
    .map(({ kind, text }) => (kind === "text" ? text.replace(/^'([^'"\\]*)'$/, '"$1"') : text))
    .join(" ")
    .replaceAll(/ \. get \( ("[^"]*") \)/g, " [ $1 ]");
}

function isAboutResult(tokens: Tokens): boolean {
  return tokens.some((one) => isWord(one, "result"));
}

import { isPlatformHead, isPlatformName } from "./platform-names.ts";

/** Names looked at in one text; nobody names more and means each. */
const NAMES_MAX = 50;
/** Words before a name that can turn it into advice or into something said to be missing. */
const WORDS_BEFORE = 4;
const CODE_CHARS_MAX = 200;
/** Pieces of shown code looked at in one text. */
const SHOWN_MAX = 10;
const SHOWN_CHARS_MIN = 6;
/** Signs that commands and plain words do not have. */
const CODE_SIGN = /[=(){}[\];*+!?]|[<>|&]{2}/;
/** Whoever leaves something out does not say that the rest stands there as it is written. */
const LEFT_OUT = /\.{3}|…|<[\p{L}_ -]+>/u;
/** Words that say of the code behind them that it stands at the place. */
const SAID_THERE =
  /(?:^|[^\p{L}])(?:lines? \d{1,9}(?:[-–]\d{1,9})?|it|this|here|(?:the )?(?:code|line|statement|condition|expression|source|file))(?: (?:here|there|currently|now|just|only|simply))? (?:reads|says|contains|calls|has|uses|compares|checks|assigns|is):?\s*$/iu;

const CODE = new RegExp(`\`+([^\`\n]{1,${CODE_CHARS_MAX}})\`+`, "g");
const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const SHAPE = new RegExp(`^(${NAME}(?:(?:\\.|::|->|\\?\\.)${NAME}){0,10})(\\(.*\\))?;?$`, "u");
/** A word before a name that belongs to the language; `default_title` does not begin with `def`. */
const PREFIX =
  /^(?:(?:await|new|async|function|def|fn|func|class|const|let|var|return) +|this\.|self\.|\$this->)/;
/** What ends a file's name, a site's name or a product's rather than a chain of names. */
const NOT_A_MEMBER =
  /^(?:js|jsx|mjs|cjs|ts|tsx|mts|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|sh|bash|sql|md|mdx|txt|rst|json|jsonl|yaml|yml|toml|xml|html|htm|css|scss|less|svg|png|jpg|gif|pdf|csv|tsv|lock|log|ini|cfg|conf|config|env|db|sqlite|zip|tar|gz|tgz|exe|dll|so|wasm|map|com|org|net|io|dev|app|ai|test|local|example|NET)$/;

/** Before a name: it is advised, wished for, compared with or missing. It need not be there then. */
const NOT_CLAIMED_BEFORE =
  /(?:^|[^\p{L}])(?:no|not|never|n't|cannot|without|missing|lacks?|lacking|absent|absence|instead|rather|should|could|would|must|prefer|consider|recommend\p{L}*|suggest\p{L}*|replac\p{L}*|use|add|adding|introduc\p{L}*|like|such as|e\.g\.?|example|similar|equivalent|switch|switching|need|needs|require|requires|expected|unlike|than|try|either)(?:$|[^\p{L}])/iu;
const NOT_CLAIMED_AFTER =
  /^ (?:is|are|was|were|does|do|should|must|could|would|can)?(?: be| been)? ?(?:nowhere|missing|absent|not (?:used|called|defined|present|imported|set|applied|exist|available)|n't exist|never (?:used|called)|instead|preferred|recommended|should|would|could|must)/i;

/**
 * The names that a text says exist: identifiers and calls in backticks, such as `loadUser()`,
 * `Session.close` or `user_id`. Words, commands, file names, literals, what a platform brings along
 * and what is advised or said to be missing are left out: a wrong suspicion costs a reviewer's
 * whole report its credit, so in doubt a name is not looked for.
 */
export function namedCode(prose: string): string[] {
  const text = prose.replace(/```[\s\S]*?```/g, " ");
  const names = new Set<string>();
  for (const match of text.matchAll(CODE)) {
    if (names.size >= NAMES_MAX) break;
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 60);
    if (isClaimed(text.slice(Math.max(0, match.index - 100), match.index), after)) {
      for (const name of namesIn(match[1]?.trim() ?? "")) names.add(name);
    }
  }
  return [...names];
}

/** Code that a text shows as standing in the source. */
export interface ShownCode {
  readonly code: string;
  /** Whether it is code by its signs, and whole: what does not stand in the file is not what is meant then. */
  readonly isWhole: boolean;
  /** The text says in words that this is what stands there. */
  readonly isSaidThere: boolean;
}

/**
 * The code that a text shows between backticks as it stands in the source, such as `a = b + 1`. A name
 * alone stands anywhere, a path says where to look, and what is advised need not be there.
 */
export function shownCode(prose: string): ShownCode[] {
  const text = prose.replace(/```[\s\S]*?```/g, " ");
  const shown = new Map<string, ShownCode>();
  for (const match of text.matchAll(CODE)) {
    if (shown.size >= SHOWN_MAX) break;
    const code = match[1]?.trim() ?? "";
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 60);
    const before = text.slice(Math.max(0, match.index - 100), match.index);
    if (!isTellingCode(code) || !isClaimed(before, after)) continue;
    const isWhole = CODE_SIGN.test(code) && !LEFT_OUT.test(code);
    const isSaidThere = isWhole && SAID_THERE.test(before);
    shown.set(code, {
      code,
      isWhole,
      isSaidThere: isSaidThere || shown.get(code)?.isSaidThere === true,
    });
  }
  return [...shown.values()];
}

/** At least two words with something between them that no name and no path has, or one with a value. */
function isTellingCode(code: string): boolean {
  if (code.length < SHOWN_CHARS_MIN || /^[\w./:@#-]+$/.test(code)) return false;
  const words = code.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return words.length >= 2 || (words.length === 1 && /^[\p{L}_$].*=\s*\S/u.test(code));
}

function isClaimed(before: string, after: string): boolean {
  const sentence = before.slice(
    Math.max(...[". ", "\n", "; ", ": "].map((end) => before.lastIndexOf(end))) + 1,
  );
  const words = sentence.split(/\s+/).filter((word) => word !== "");
  const near = words.slice(-WORDS_BEFORE).join(" ");
  return !NOT_CLAIMED_BEFORE.test(near) && !NOT_CLAIMED_AFTER.test(after);
}

function namesIn(code: string): string[] {
  const match = SHAPE.exec(code.replace(PREFIX, ""));
  if (match === null) return [];
  const chain = (match[1] ?? "").split(/\.|::|->|\?\./);
  const isCall = match[2] !== undefined;
  if (chain.length > 1) return isCall || isMember(chain) ? known(decisive(chain)) : [];
  const isOwn = /^(?:this\.|self\.|\$this->)/.test(code);
  return isCall || isOwn || chain.some(isTelling) ? known(chain) : [];
}

/** Whether names with dots between them are code, and not a file, a site or an option. */
function isMember(chain: readonly string[]): boolean {
  if (NOT_A_MEMBER.test(chain.at(-1) ?? "")) return false;
  return chain.some((name) => isTelling(name) || /^\p{Lu}\p{Ll}/u.test(name));
}

/** A small letter at the front may be any variable; a capital names something that must be there. */
function decisive(chain: readonly string[]): string[] {
  const [head = "", last = ""] = [chain[0], chain.at(-1)];
  if (isPlatformHead(head)) return [];
  return /^\p{Lu}/u.test(head) ? [head, last] : [last];
}

/** Two words in one: no ordinary word and no literal looks like that. */
function isTelling(name: string): boolean {
  if (/^[\p{Lu}\p{N}_]+$/u.test(name)) return false;
  return /[\p{Ll}\p{N}]_+\p{Ll}/u.test(name) || /^\p{Ll}+[\p{Ll}\p{N}]*\p{Lu}/u.test(name);
}

function known(names: readonly string[]): string[] {
  return names.filter(
    (name) => name.length > 2 && !isPlatformName(name) && !/(?:Error|Exception)$/.test(name),
  );
}

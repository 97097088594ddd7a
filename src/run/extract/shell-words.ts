/** One piece of a shell command line. */
export type ShellWord =
  | {
      readonly kind: "word";
      readonly text: string;
      readonly isQuoted: boolean;
      readonly isPlain: boolean;
    }
  | { readonly kind: "operator"; readonly text: string };

const OPERATORS = [
  "<<<",
  "<<-",
  "<<",
  "&&",
  "||",
  ">>",
  ">|",
  ">&",
  "<&",
  "&>",
  ">",
  "<",
  "|",
  ";",
  "&",
  "(",
  ")",
];
const WORDS_MAX = 200;

/**
 * Cuts a line as a shell would, without expanding anything. A word is plain where the shell would
 * hand it on as it is; undefined where quotes stay open or the line is too long to be one we take.
 */
export function shellWords(line: string): ShellWord[] | undefined {
  const words: ShellWord[] = [];
  let at = 0;
  while (at < line.length) {
    if (/[ \t]/.test(line.charAt(at))) {
      at += 1;
      continue;
    }
    if (line.charAt(at) === "#") break;
    const operator = OPERATORS.find((one) => line.startsWith(one, at));
    if (operator !== undefined) {
      words.push({ kind: "operator", text: operator });
      at += operator.length;
    } else {
      const word = readWord(line, at);
      if (word === undefined) return undefined;
      words.push(word.word);
      at = word.next;
    }
    if (words.length > WORDS_MAX) return undefined;
  }
  return words;
}

interface ReadWord {
  readonly word: ShellWord;
  readonly next: number;
}

/** Quoted and unquoted stretches that stand together are one word. */
function readWord(line: string, from: number): ReadWord | undefined {
  let [text, at, isQuoted, isPlain] = ["", from, false, true];
  while (at < line.length && !/[ \t<>|&;()]/.test(line.charAt(at))) {
    const stretch = readStretch(line, at);
    if (stretch === undefined) return undefined;
    text += stretch.text;
    at = stretch.next;
    isQuoted ||= stretch.isQuoted;
    isPlain &&= stretch.isPlain;
  }
  return { word: { kind: "word", text, isQuoted, isPlain }, next: at };
}

interface Stretch {
  readonly text: string;
  readonly next: number;
  readonly isQuoted: boolean;
  readonly isPlain: boolean;
}

function readStretch(line: string, at: number): Stretch | undefined {
  const char = line.charAt(at);
  if (char === "\\") {
    return { text: line.charAt(at + 1), next: at + 2, isQuoted: true, isPlain: true };
  }
  if (char !== "'" && char !== '"') {
    return { text: char, next: at + 1, isQuoted: false, isPlain: !/[$`*?[\]{}~!]/.test(char) };
  }
  const close = line.indexOf(char, at + 1);
  if (close < 0) return undefined;
  const text = line.slice(at + 1, close);
  return { text, next: close + 1, isQuoted: true, isPlain: char === "'" || !/[$`\\]/.test(text) };
}

import { type ShellWord, shellWords } from "./shell-words.ts";

/** A command line that text follows, up to a line with the delimiter alone. */
export interface HeredocLine {
  readonly delimiter: string;
  /** `<<-`: tabs before the lines and the delimiter are taken away. */
  readonly dropsTabs: boolean;
  /** Without quotes, the shell expands variables, commands and backslashes in the text. */
  readonly isQuoted: boolean;
  /** The file that is written; undefined where the text goes to another program. */
  readonly path?: string;
  /** Why that file is not taken. */
  readonly problem?: string;
}

const LINE_CHARS_MAX = 4_000;
const REDIRECTS = [">", ">>", ">|"];

/** Reads a command line with one heredoc: `cat > a <<'EOF'`, `cat <<EOF >a`, `tee a <<-EOF`. */
export function heredocLine(line: string): HeredocLine | undefined {
  if (!line.includes("<<") || line.length > LINE_CHARS_MAX) return undefined;
  const words = shellWords(line.replace(/^\s*\$ /, ""));
  if (words === undefined) return undefined;
  const heredocs = words.flatMap((word, at) => (isOperator(word, "<<", "<<-") ? [at] : []));
  const at = heredocs[0];
  const mark = at === undefined ? undefined : words[at + 1];
  if (at === undefined || mark?.kind !== "word" || mark.text === "") return undefined;
  const opened = {
    delimiter: mark.text,
    dropsTabs: words[at]?.text === "<<-",
    isQuoted: mark.isQuoted,
  };
  if (heredocs.length > 1) return { ...opened, problem: "two heredocs begin on one line" };
  return { ...opened, ...targetOf(commandAround(words, at), words) };
}

type Word = Extract<ShellWord, { kind: "word" }>;

interface Command {
  readonly own: readonly ShellWord[];
  readonly before: readonly ShellWord[];
  readonly after: readonly ShellWord[];
}

interface Target {
  readonly path?: string;
  readonly problem?: string;
}

/** The words of the one command that the heredoc belongs to, and where that stands on the line. */
function commandAround(words: readonly ShellWord[], at: number): Command {
  const isBetween = (word: ShellWord): boolean =>
    isOperator(word, "&&", "||", ";", "|", "&", "(", ")");
  const from = words.slice(0, at).findLastIndex(isBetween) + 1;
  const end = words.findIndex((word, place) => place > at && isBetween(word));
  const to = end < 0 ? words.length : end;
  return { own: words.slice(from, to), before: words.slice(0, from), after: words.slice(to) };
}

function targetOf(command: Command, words: readonly ShellWord[]): Target {
  const { own, after } = command;
  const program = own[0]?.kind === "word" ? own[0].text : "";
  if (program !== "cat" && program !== "tee") {
    // Text for another program is no file, unless what that program says becomes one.
    const isWriting = words.some((word) => isOperator(word, ...REDIRECTS)) || program === "sudo";
    if (!isWriting) return {};
    return { problem: `the file is written by ${program || "a command"}, not by a heredoc alone` };
  }
  const [target, second] = targets(own);
  if (target !== undefined) {
    const problem = targetProblem(command, target, second !== undefined);
    return problem === undefined ? { path: target.text } : { path: target.text, problem };
  }
  return after.length > 0 ? { problem: "the text goes through a pipe" } : {};
}

function targetProblem({ own, before, after }: Command, target: Word, isOneOfMany: boolean) {
  if (isOneOfMany) return "the command writes more than one file";
  if (hasAppend(own)) return "the text is appended to a file; give the whole file";
  if (!target.isPlain) return "the shell would expand the name; write it out";
  const isTaken = after.some((word) => isOperator(word, "|", "||", "&", "(", ")"));
  if (isHarmlessBefore(before) && !isTaken) return undefined;
  return "other commands on the line decide whether or where the file is written";
}

/** What a `cat` or `tee` writes to; the bin for output is no file. */
function targets(own: readonly ShellWord[]) {
  const isTee = own[0]?.text === "tee";
  return own.filter((word, at): word is Word => {
    const earlier = own[at - 1];
    if (word.kind !== "word" || at === 0 || word.text === "/dev/null" || earlier === undefined)
      return false;
    if (isOperator(earlier, ...REDIRECTS)) return true;
    return isTee && earlier.kind === "word" && !word.text.startsWith("-");
  });
}

function hasAppend(own: readonly ShellWord[]): boolean {
  return own.some(
    (word) =>
      isOperator(word, ">>") || (own[0]?.text === "tee" && /^-(?:a|-append)/.test(word.text)),
  );
}

/** Only making folders may come first: a `cd` would mean another place, a test another outcome. */
function isHarmlessBefore(before: readonly ShellWord[]): boolean {
  if (before.length === 0) return true;
  const last = before.at(-1);
  return (
    before[0]?.text === "mkdir" &&
    last !== undefined &&
    isOperator(last, "&&", ";") &&
    before.slice(0, -1).every(({ kind }) => kind === "word")
  );
}

function isOperator(word: ShellWord, ...texts: readonly string[]): boolean {
  return word.kind === "operator" && texts.includes(word.text);
}

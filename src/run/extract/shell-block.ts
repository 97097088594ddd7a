import { type HeredocLine, heredocLine } from "./heredoc-line.ts";
import { LineCursor } from "./line-cursor.ts";
import {
  type FoundFile,
  type Judged,
  type LineRange,
  type RefusedPart,
  refusedPart,
} from "./part.ts";

/** Commands after which a file is not what the heredoc said, or is a link, or lies elsewhere. */
const MEDDLING =
  /(?:^|[;&|(]|\s)(?:cd|pushd|popd|ln|mv|cp|rm|sed|perl|awk|patch|truncate|dd|ed|ex|install|rsync|unlink)\s/;
/** A heredoc in a branch or a loop is written perhaps, or with other values. */
const BRANCHING =
  /^\s*(?:if|for|while|until|case|select|function)\b|^\s*[\w-]+\s*\(\)|^\s*[{(]\s*$/;
const WRITING = /(?:^|[^0-9&>=-])>{1,2}\s{0,10}(?!&|\s{0,10}\/dev\/null)["']?[^\s"'&|;<>]/;
/** A longer line is not read, and nothing beside it is believed. */
const LINE_CHARS_MAX = 4_000;

interface Read extends HeredocLine {
  readonly body: string;
  readonly lines: LineRange;
  readonly isClosed: boolean;
}

/** Whether a block in a shell's language has a command with text behind it. */
export function hasHeredoc(text: string): boolean {
  return text.includes("<<");
}

/**
 * The files that the commands of a shell block write, read and not run. A heredoc that the shell
 * would change (`$NAME`, a backquote or a backslash without a quoted delimiter) is refused: what
 * would be in the file then is nobody's to know here. `all` is where the whole block stands.
 */
export function judgeShell(text: string, firstLine: number, all: LineRange): Judged {
  const { heredocs, others } = readCommands(text, firstLine);
  const written = heredocs.filter(
    ({ path, problem, isClosed }) => path !== undefined || problem !== undefined || !isClosed,
  );
  const meddling = others.find(isMeddling);
  if (written.length === 0) return judgeCommands(all, meddling);
  const files: FoundFile[] = [];
  const refused: RefusedPart[] = [];
  for (const heredoc of written) {
    const { path, body: content, lines } = heredoc;
    const reason = problemOf(heredoc, meddling);
    if (path === undefined) refused.push({ reason: reason ?? "it names no file", lines });
    else if (reason === undefined) files.push({ path, content, lines, form: "heredoc" });
    else refused.push({ path, reason, lines });
  }
  return { files, refused, aside: [] };
}

/** A block that writes no heredoc: commands to run, unless one of them would make a file. */
function judgeCommands(lines: LineRange, meddling: string | undefined): Judged {
  if (meddling === undefined || !isMakingFile(meddling)) {
    return { files: [], refused: [], aside: [{ reason: "commands to run", lines }] };
  }
  return refusedPart(
    lines,
    `a command would make the file ("${cut(meddling)}"); give the file itself`,
  );
}

function isMeddling(line: string): boolean {
  if (line.length > LINE_CHARS_MAX) return true;
  return MEDDLING.test(line) || BRANCHING.test(line) || WRITING.test(line);
}

function isMakingFile(line: string): boolean {
  return (
    line.length > LINE_CHARS_MAX || WRITING.test(line) || /(?:^|\s)(?:ln|patch|sed)\s/.test(line)
  );
}

function problemOf(heredoc: Read, meddling: string | undefined): string | undefined {
  if (!heredoc.isClosed) return `the heredoc is never closed by a line "${cut(heredoc.delimiter)}"`;
  if (heredoc.problem !== undefined) return heredoc.problem;
  if (!heredoc.isQuoted && /[$`\\]/.test(heredoc.body)) {
    return `the shell would expand the text; quote the delimiter: <<'${cut(heredoc.delimiter)}'`;
  }
  if (meddling === undefined) return undefined;
  return `another command of the block decides what is in the file, or where ("${cut(meddling)}")`;
}

function readCommands(text: string, firstLine: number): { heredocs: Read[]; others: string[] } {
  const cursor = new LineCursor(text);
  const heredocs: Read[] = [];
  const others: string[] = [];
  while (cursor.advance()) {
    const { line } = cursor;
    const opened = heredocLine(line);
    if (opened === undefined) others.push(/^\s*#/.test(line) ? "" : line);
    else heredocs.push(readBody(cursor, opened, firstLine));
  }
  return { heredocs, others };
}

function readBody(cursor: LineCursor, opened: HeredocLine, firstLine: number): Read {
  const [from, first] = [cursor.next, cursor.number];
  const finish = (to: number, isClosed: boolean): Read => {
    const raw = cursor.text.slice(from, to);
    const body = opened.dropsTabs ? raw.replace(/(^|\n)\t+/g, "$1") : raw;
    return {
      ...opened,
      body,
      isClosed,
      lines: [firstLine + first - 1, firstLine + cursor.number - 1],
    };
  };
  while (cursor.advance()) {
    const line = opened.dropsTabs ? cursor.line.replace(/^\t+/, "") : cursor.line;
    if (line === opened.delimiter) return finish(cursor.start, true);
  }
  return finish(cursor.next, false);
}

function cut(text: string): string {
  const flat = text.trim();
  return flat.length <= 60 ? flat : `${flat.slice(0, 59)}…`;
}

import { commentName } from "./comment-name.ts";
import { editIn } from "./edit-in.ts";
import { findElision } from "./elision.ts";
import { fenceOn } from "./fence-line.ts";
import { type Info, readInfo } from "./info-name.ts";
import { pathProblem, plainPath } from "./judge-path.ts";
import { type LeadIn, leadNames, readLeadIn } from "./lead-in.ts";
import { LineCursor } from "./line-cursor.ts";
import { extensionOf } from "./name-like.ts";
import { outsideName } from "./outside-name.ts";
import {
  type ExtractForm,
  type Judged,
  NOTHING,
  type Part,
  type RefusedPart,
  refusedPart,
} from "./part.ts";
import { orderWords, pieceWords, restWords, splitWords } from "./partial-words.ts";
import { hasHeredoc, judgeShell } from "./shell-block.ts";

const SHELLS = new Set(["sh", "bash", "shell", "zsh", "ksh", "dash"]);
const SHELL_FILES = new Set(["sh", "bash", "zsh", "ksh", "dash", "bats"]);
/** Languages of what people are shown and nobody saves. */
const SHOWN = new Set([
  "console",
  "shellsession",
  "shell-session",
  "sh-session",
  "terminal",
  "output",
  "stdout",
  "log",
  "mermaid",
]);
/** How recorded text marks what was taken out of it; whoever copies the mark does not have the words. */
const REDACTED = /\[REDACTED:[a-z0-9-]{1,64}\]/;
const NAMELESS =
  "the block has no file name; put the name in backticks right before it, in its info string or in a first-line comment";

/** The name of a part, where it stood, and the part's content without it. */
interface Named {
  readonly name: string;
  readonly form: ExtractForm;
  readonly content: string;
}

/** Decides what a part is: a whole file, several (in a shell block), nothing, or something to refuse. */
export function judgePart(part: Part): Judged {
  const info = readInfo(part.info ?? "");
  const lead = readLeadIn(part.lead);
  if (part.kind === "stray" || part.problem !== undefined) {
    const name = part.header ?? info.names[0] ?? lead.names[0];
    const all = refusedPart(part.lines, part.problem ?? "it is no block", name);
    return { ...all, refused: [...all.refused, ...namesWithin(part)] };
  }
  if (part.kind === "heredoc") return shellFiles(part, part.lines[0], lead);
  const named = nameOf(part, info, lead);
  if (typeof named === "string") return refusedPart(part.lines, named);
  return named === undefined
    ? judgeNameless(part, info, lead)
    : judgeNamed(part, info, lead, named);
}

/** The files that somebody who reads a refused part in another way finds in it: each is refused by name. */
function namesWithin({ kind, content, lines: [first] }: Part): RefusedPart[] {
  // A heredoc's content begins with its command, every other one below the line that opened it.
  const from = kind === "heredoc" ? first - 1 : first;
  const cursor = new LineCursor(content);
  const found: RefusedPart[] = [];
  let [before, fences] = ["", 0];
  while (fences < FENCES_WITHIN_MAX && cursor.advance()) {
    if (cursor.isBlank) continue;
    const fence = fenceOn(cursor);
    if (fence !== undefined) fences += 1;
    const path = fence && (readInfo(fence.info).names[0] ?? leadNames(before)[0]);
    const line = from + cursor.number;
    if (path !== undefined) found.push({ path, reason: WITHIN, lines: [line, line] });
    before = cursor.line;
  }
  return found;
}

/** So many are looked at; the refusal of the whole part covers all of them. */
const FENCES_WITHIN_MAX = 1_000;
const WITHIN = "it stands inside of a part that is refused";

/** The name, why there is none that all places agree on, or undefined where nobody says one. */
function nameOf(part: Part, info: Info, lead: LeadIn): Named | string | undefined {
  const { content, header } = part;
  const own = info.names[0] ?? header;
  const said = [...info.names, ...(header === undefined ? [] : [header]), ...lead.names];
  const [name, ...others] = new Set(said.map(plainPath));
  if (name === undefined) return fromComment(part, info);
  if (others.length > 0) return twoNames([name, ...others]);
  // A comment inside is content, unless it shows that the sentence before was about another file.
  const inside = commentName(firstLine(content));
  if (own === undefined && inside !== undefined && !isSameFile(name, plainPath(inside))) {
    return twoNames([name, inside]);
  }
  return { name, form: formOf(part, info), content };
}

function formOf(part: Part, info: Info): ExtractForm {
  if (part.kind === "indented") return "indented";
  if (info.names.length > 0) return "info";
  return part.header === undefined ? "backticks" : "header";
}

/** A comment often names a file without the folders it is in. */
function isSameFile(name: string, comment: string): boolean {
  return name === comment || name.endsWith(`/${comment}`);
}

/** In commands to run, a comment with a file's name is about the next command, not the block's name. */
function isCommands({ content }: Part, { language }: Info, first: string): boolean {
  return SHELLS.has(language) && (hasHeredoc(content) || !SHELL_FILES.has(extensionOf(first)));
}

/** The comment that only carried the name is not part of the file. */
function fromComment(part: Part, info: Info): Named | undefined {
  const { content } = part;
  const name = commentName(firstLine(content));
  if (name === undefined || isCommands(part, info, name)) return undefined;
  return { name, form: "comment", content: content.slice(content.indexOf("\n") + 1) };
}

function judgeNamed(part: Part, info: Info, lead: LeadIn, { name, form, content }: Named): Judged {
  const path = plainPath(name);
  const reason =
    pathProblem(path) ?? wholeProblem(part, info, lead, path) ?? contentProblem(path, content);
  if (reason !== undefined) return refusedPart(part.lines, reason, path);
  return { ...NOTHING, files: [{ path, content, lines: part.lines, form }] };
}

/** Why the words around a block say that it is less than a file. */
function wholeProblem(part: Part, info: Info, lead: LeadIn, path: string): string | undefined {
  if (info.excerpt !== undefined) return `it is ${info.excerpt}; give the whole file`;
  if (
    /^(?:diff|patch|udiff)$/.test(info.language) &&
    !["diff", "patch"].includes(extensionOf(path))
  ) {
    return "it is a diff; give the whole file";
  }
  const said = (part.info ?? "").replaceAll(path, "");
  if (said.includes("\r"))
    return "a carriage return stands in its info string, where some readers see a line end";
  return (
    splitWords(said) ??
    pieceWords(said) ??
    lead.partial ??
    orderWords(part.context) ??
    restWords(part.after)
  );
}

/** Why a file's own text says that it is not all there. */
export function contentProblem(path: string, content: string): string | undefined {
  if (!content.isWellFormed()) return "the content is not well-formed Unicode";
  if (/\r(?!\n) {0,3}(?:```|~~~)/.test(content)) {
    return "a fence stands behind a lone carriage return, where some readers see the block end";
  }
  const edit = editIn(path, content);
  if (edit !== undefined) return `it is ${edit}; give the whole file`;
  const [mark] = REDACTED.exec(content) ?? [];
  if (mark !== undefined)
    return `${mark} in it stands for words that were taken out, and nobody guesses them`;
  const elision = findElision(path, content);
  if (elision === undefined) return undefined;
  return `line ${elision.line} of it stands for lines that are left out ("${elision.text}"); give the whole file`;
}

function judgeNameless(part: Part, info: Info, lead: LeadIn): Judged {
  const { content, lines } = part;
  const aside = (reason: string): Judged => ({ ...NOTHING, aside: [{ reason, lines }] });
  if (part.kind === "fence" && SHELLS.has(info.language) && !content.startsWith("#!")) {
    return shellFiles(part, lines[0] + 1, lead);
  }
  if (SHOWN.has(info.language)) {
    return content.includes("<<")
      ? refusedPart(lines, NAMELESS)
      : aside(`${info.language} is shown, not saved`);
  }
  if (/^[ \t│|]*[├└]──/m.test(content)) return aside("a drawing of folders");
  if (info.excerpt !== undefined)
    return refusedPart(lines, `it is ${info.excerpt}; give the whole file`);
  const outside = outsideName(part);
  return outside === undefined
    ? refusedPart(lines, lead.partial ?? NAMELESS)
    : refusedPart(lines, outside.reason, outside.path);
}

/** The heredocs of commands, each held to what every file is held to. */
function shellFiles(part: Part, firstLine: number, lead: LeadIn): Judged {
  const judged = judgeShell(part.content, firstLine, part.lines);
  const files = judged.files.map((file) => ({ ...file, path: plainPath(file.path) }));
  const problems = files.map(
    (file) => pathProblem(file.path) ?? lead.partial ?? contentProblem(file.path, file.content),
  );
  return {
    files: files.filter((_, at) => problems[at] === undefined),
    refused: [
      ...judged.refused,
      ...files.flatMap(({ path, lines }, at) =>
        problems[at] === undefined ? [] : [{ path, reason: problems[at], lines }],
      ),
    ],
    aside: judged.aside,
  };
}

function twoNames(names: readonly string[]): string {
  return `several names could be its own (${names.slice(0, 5).join(", ")}); name one`;
}

function firstLine(content: string): string {
  const feed = content.slice(0, 2_000).indexOf("\n");
  return feed < 0 ? "" : content.slice(0, feed).replace(/\r$/, "");
}

import { sha256Hex } from "../../base/index.ts";
import { judgePart } from "./judge-part.ts";
import { extensionOf } from "./name-like.ts";
import type { ExtractForm, FoundFile, LineRange, Part, PartAside, RefusedPart } from "./part.ts";
import { partClashes } from "./part-clashes.ts";
import { scanParts } from "./scan-parts.ts";

/** A whole file from a response, as it is to be written. */
export interface ExtractedFile {
  /** Inside the project, parted by `/`. */
  readonly path: string;
  readonly content: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly lines: LineRange;
  readonly form: ExtractForm;
}

/** Everything in a response that is a file, that could have been one, or that was passed over. */
export interface Extraction {
  readonly files: readonly ExtractedFile[];
  readonly refused: readonly RefusedPart[];
  readonly aside: readonly PartAside[];
  /** Set where the response holds no file that could be taken: then it is what somebody thinks of the task. */
  readonly analysis: TaskAnalysis | undefined;
}

/** A response that changes nothing, as the action that it is. */
export interface TaskAnalysis {
  readonly action: "task_analysis";
  readonly lines: LineRange;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Takes whole files out of a response that was written for people. Pure, and linear in the length of
 * the text. Whoever wrote the text is not trusted: a path stays inside the project, whatever can be
 * read in two ways is refused, and so is everything that is less than a file.
 *
 * @throws SwornError `LIMIT_EXCEEDED` when the response has more blocks than any has.
 */
export function extractFiles(text: string): Extraction {
  const files: FoundFile[] = [];
  const refused: RefusedPart[] = [];
  const aside: PartAside[] = [];
  let earlier: Part | undefined;
  for (const part of scanParts(text.startsWith("\uFEFF") ? text.slice(1) : text)) {
    const judged = judgePart(part);
    const last = files.at(-1);
    if (last !== undefined && judged.files.length === 0 && isTailOf(part, earlier, last)) {
      files.pop();
      refused.push(asTorn(last));
    }
    files.push(...judged.files);
    refused.push(...judged.refused);
    aside.push(...judged.aside);
    earlier = part;
  }
  const { kept, clashes } = partClashes(files, refused);
  const all = [...refused, ...clashes].toSorted((one, other) => one.lines[0] - other.lines[0]);
  const analysis = kept.length === 0 ? analysisIn(text) : undefined;
  if (kept.length > 0 || all.length > 0)
    return { files: kept.map(toExtracted), refused: all, aside, analysis };
  const reason = "the response holds no file; instructions alone are none";
  return { files: [], refused: [{ reason, lines: linesOf(text) }], aside, analysis };
}

/** Nothing at all is not even a thought. */
function analysisIn(text: string): TaskAnalysis | undefined {
  if (text.trim() === "") return undefined;
  const bytes = Buffer.from(text);
  const about = { bytes: bytes.length, sha256: sha256Hex(bytes) };
  return { action: "task_analysis", lines: linesOf(text), ...about };
}

function linesOf(text: string): LineRange {
  return [1, Math.max(1, countLines(text))];
}

const MARKDOWN = new Set(["md", "mdx", "markdown"]);

/**
 * Whether a block without a name may be the rest of the file before it: a fence inside that file, as
 * long as its own and without a language, ends it too early and leaves such a block behind. That is
 * likely in Markdown, and wherever no empty line parts the two blocks or a long string stays open.
 */
function isTailOf(part: Part, earlier: Part | undefined, file: FoundFile): boolean {
  if (part.kind !== "fence" || part.info !== "" || earlier?.kind !== "fence") return false;
  if (file.lines !== earlier.lines) return false;
  const between = part.lines[0] - earlier.lines[1] - 1;
  const isAdjacent = between === (part.lead === "" ? 0 : part.lead.split("\n").length);
  const isOpenString = ['"""', "'''", "`"].some(
    (quote) => file.content.split(quote).length % 2 === 0,
  );
  return isAdjacent || isOpenString || MARKDOWN.has(extensionOf(file.path));
}

function asTorn({ path, lines }: FoundFile): RefusedPart {
  const reason =
    "a block without a name follows, which may be the rest of it; give the file a longer fence than any it holds";
  return { path, reason, lines };
}

function toExtracted({ path, content, lines, form }: FoundFile): ExtractedFile {
  const bytes = Buffer.from(content);
  return { path, content, bytes: bytes.length, sha256: sha256Hex(bytes), lines, form };
}

function countLines(text: string): number {
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

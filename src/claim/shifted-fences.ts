/** A fence that opens with an indent of its own, as one below a list's item does. */
const OPENING = /^( {1,24})(`{3,}|~{3,})([^`]{0,200})$/;
/** Longer blocks are no evidence; more likely the end of one was forgotten. */
const BLOCK_LINES_MAX = 200;
/** What no quoted source begins with and a report does: then the block was never ended. */
const REPORT_LINE = /^\s{0,24}(?:[-*+] (?:\[[ xX]\]|\*\*)|#{2,6} |\*\*\[|<!-- )/;

/**
 * Moves code below a list's item to where its fence stands. Agents indent the fence and paste the
 * source beside it; by the letter of Markdown such a line ends item and fence, the true quotation
 * is lost, and the closing fence opens one that swallows what follows. Lines keep their numbers.
 */
export function withShiftedFences(lines: readonly string[]): readonly string[] {
  const shifted = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = "", fence = ""] = OPENING.exec(lines[at] ?? "") ?? [];
    if (fence === "") continue;
    const end = endOf(lines, at, fence);
    if (end === undefined) continue;
    const body = lines.slice(at + 1, end);
    if (body.some((line) => line.trim() !== "" && !line.startsWith(indent))) {
      for (let row = at + 1; row < end; row += 1) shifted[row] = `${indent}${lines[row]}`;
      // An end that stands further out ends the item too.
      shifted[end] = `${indent}${fence}`;
    }
    at = end;
  }
  return shifted;
}

/** The line that ends a fence; undefined where it cannot be told. */
function endOf(lines: readonly string[], from: number, fence: string): number | undefined {
  const last = Math.min(lines.length, from + 1 + BLOCK_LINES_MAX);
  for (let at = from + 1; at < last; at += 1) {
    const line = lines[at] ?? "";
    const text = line.trim();
    if (text.startsWith(fence)) return isOnly(text, fence.charAt(0)) ? at : undefined;
    if (REPORT_LINE.test(line)) return undefined;
  }
  return undefined;
}

function isOnly(text: string, character: string): boolean {
  return [...text.slice(0, 100)].every((one) => one === character);
}

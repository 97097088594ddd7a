import type { CheckedFinding, Citation } from "../schema/finding.ts";
import type { ReportedFinding } from "../schema/review.ts";
import { visibleName } from "./visible-text.ts";

/** Lines of a file, the last one included; without lines, the file as a whole. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly endLine?: number;
}

/** Where a citation points, as written. An end before the start is taken for the start. */
export function citedPlace({ file, line, end_line }: Citation): Place {
  if (line === undefined) return { file };
  return { file, line, endLine: Math.max(line, end_line ?? line) };
}

/** Where the first citation of a finding points, as its author wrote it. */
export function claimedPlace({ finding }: Pick<CheckedFinding, "finding">): Place {
  const [first] = finding.citations;
  return first === undefined ? { file: "" } : citedPlace(first);
}

/** Where a finding really is: the place the check found wins over the one that was cited. */
export function truePlace(checked: Pick<CheckedFinding, "finding" | "found">): Place {
  const claimed = claimedPlace(checked);
  if (checked.found === undefined) return claimed;
  const { file, line } = checked.found;
  const length = (claimed.endLine ?? 0) - (claimed.line ?? 0);
  return { file, line, endLine: line + length };
}

/** Whether the author pointed somewhere else than where it is. */
export function isMisplaced(checked: Pick<CheckedFinding, "finding" | "found">): boolean {
  const [claimed, found] = [claimedPlace(checked), checked.found];
  return found !== undefined && (found.file !== claimed.file || found.line !== claimed.line);
}

/** `file:12-14`, on one line and with nothing hidden. */
export function placeText({ file, line, endLine }: Place): string {
  const name = visibleName(file);
  if (line === undefined) return name;
  return endLine === undefined || endLine === line
    ? `${name}:${line}`
    : `${name}:${line}-${endLine}`;
}

/** The source at a place, as far as the report carries it; undefined when a line of it is missing. */
export function sourceAt({ context }: ReportedFinding, place: Place): string[] | undefined {
  if (place.line === undefined || place.endLine === undefined) return undefined;
  const first = place.line - context.from;
  const last = place.endLine - context.from;
  return first < 0 || last >= context.lines.length
    ? undefined
    : context.lines.slice(first, last + 1);
}

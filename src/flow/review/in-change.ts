import type { Citation, Finding } from "../../schema/finding.ts";
import type { SubjectFile } from "./subject.ts";

/**
 * Keeps findings that the change has to do with: one of the places it names, or a step of its path,
 * was brought by the change. Older ones are an audit's business.
 */
export function splitByChange(
  findings: readonly Finding[],
  files: readonly SubjectFile[],
): { readonly touched: Finding[]; readonly older: number } {
  const added = new Map(files.map((file) => [file.path, file.added]));
  const isTouched = ({ file, line, end_line }: Citation): boolean => {
    const ranges = added.get(file);
    if (ranges === undefined) return added.has(file);
    if (line === undefined) return true;
    return ranges.some(({ from, to }) => line <= to && (end_line ?? line) >= from);
  };
  const touched = findings.filter(({ citations, path = [] }) =>
    [...citations, ...path].some(isTouched),
  );
  return { touched, older: findings.length - touched.length };
}

import { withoutCode } from "./inline.ts";

/** What a labelled part of a finding tells. */
export type FieldName =
  | "evidence"
  | "issue"
  | "fix"
  | "file"
  | "line"
  | "priority"
  | "confidence"
  | "category"
  | "search"
  | "flow"
  | "id"
  | "title";

const NAMES: ReadonlyMap<string, FieldName> = new Map(
  (
    [
      [
        "evidence",
        "rune trace,rune traces,trace,evidence,code,snippet,code snippet,quote,proof,source,current code",
      ],
      ["issue", "issue,problem,description,details,detail,explanation,what,observation,summary"],
      [
        "fix",
        "fix,suggested fix,recommended fix,recommendation,recommendations,suggestion,remediation,solution,proposed fix",
      ],
      [
        "file",
        "file,files,location,locations,where,path,place,affected file,affected files,file path",
      ],
      ["line", "line,lines,line number,line numbers"],
      ["priority", "severity,priority,level"],
      ["confidence", "confidence,confidence level,certainty"],
      ["category", "category,type,rule,kind"],
      ["search", "search,searched,searched for"],
      ["flow", "flow,data flow,taint flow,taint path,source to sink"],
      ["id", "id,finding id"],
      ["title", "title,finding"],
    ] as const
  ).flatMap(([field, names]) => names.split(",").map((name) => [name, field] as const)),
);

/** The field that a label or the heading of a column names. */
export function fieldOf(label: string): FieldName | undefined {
  return NAMES.get(
    label
      .toLowerCase()
      .replace(/[^a-z]+/g, " ")
      .trim(),
  );
}

/** A run of text and the label in front of it; none for text before the first label. */
export interface LabelledText {
  readonly field: FieldName | undefined;
  readonly text: string;
}

/** `**Issue:**`, `**Issue**:` or `__Issue:__` anywhere; `Issue:` or `*Issue:*` at the start of a line. */
const LABEL =
  /(?:\*\*|__)([A-Za-z][A-Za-z /-]{0,40}?)(?:\s?(?:\([^()\n]{0,40}\))?:(?:\*\*|__)|\s?(?:\*\*|__)\s?:)|(?<=^|\n)[ \t]{0,9}[*_]?([A-Za-z][A-Za-z -]{0,30}?)[*_]?:[*_]?(?=\s|$)/g;

/** Cuts prose at its labels. Labels we do not know stay in the text they stand in. */
export function splitLabels(text: string): LabelledText[] {
  const words = withoutCode(text);
  const parts: LabelledText[] = [];
  let field: FieldName | undefined;
  let from = 0;
  for (const match of words.matchAll(LABEL)) {
    const next = fieldOf(match[1] ?? match[2] ?? "");
    if (next === undefined) continue;
    parts.push({ field, text: text.slice(from, match.index).trim() });
    field = next;
    from = match.index + match[0].length;
  }
  parts.push({ field, text: text.slice(from).trim() });
  return parts.filter((part) => part.field !== undefined || part.text !== "");
}

/** Whether text starts with a label we know. */
export function startsWithLabel(text: string): boolean {
  return splitLabels(text.slice(0, 200))[0]?.field !== undefined;
}

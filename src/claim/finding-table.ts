import type { Row } from "./block.ts";
import { type Head, readHead } from "./head.ts";
import { type FieldName, fieldOf } from "./label.ts";
import { placesIn } from "./place.ts";

/** One row of a table of findings. */
export interface FindingRow {
  readonly line: number;
  readonly text: string;
  readonly head: Head;
  readonly fields: readonly (readonly [FieldName, string])[];
}

type Column = FieldName | "number" | undefined;

/**
 * Reads a table with one finding a row. Undefined if its headings do not name what makes a finding:
 * a place and what is wrong there.
 */
export function readFindingTable(
  rows: readonly Row[],
  isUnderPriority: boolean,
): FindingRow[] | undefined {
  const [heading, ...body] = rows;
  const columns = (heading?.cells ?? []).map(columnOf);
  const has = (column: Column): boolean => columns.includes(column);
  const isTold = has("title") || has("issue") || has("id");
  if (!isTold || !(has("file") || (isUnderPriority && (has("id") || has("title")))))
    return undefined;
  return body.map((row) => toRow(row, columns));
}

function columnOf(heading: string): Column {
  if (/^(?:#|no\.?|nr\.?|№)$/i.test(heading.trim())) return "number";
  return fieldOf(heading);
}

function toRow(row: Row, columns: readonly Column[]): FindingRow {
  const cell = (column: Column): string => row.cells[columns.indexOf(column)] ?? "";
  const named = columns.includes("title") ? "title" : "issue";
  const number = /^[A-Z][A-Z0-9-]{0,40}-\d{1,8}$/.test(cell("number")) ? cell("number") : "";
  const id = (cell("id") || number).replace(/^[`*[\]\s]{1,9}|[`*[\]\s]{1,9}$/g, "");
  const shown = columns.includes("title") || columns.includes("issue") ? cell(named) : "";
  const head = readHead(shown.slice(0, 4_000));
  const isPlaced = placesIn(cell("file"), true).length > 0;
  return {
    line: row.line,
    text: row.cells.join(" | ").slice(0, 2_000),
    head: {
      ...head,
      id: id === "" ? head.id : id.slice(0, 64),
      places: isPlaced ? [] : head.places,
    },
    fields: fieldsOf(row, columns, columns.includes("title") ? ["title", "id"] : ["id"]),
  };
}

/** The file comes first: the line in a column of its own belongs to it. */
function fieldsOf(
  row: Row,
  columns: readonly Column[],
  done: readonly FieldName[],
): [FieldName, string][] {
  const fields: [FieldName, string][] = [];
  for (const [index, column] of columns.entries()) {
    const text = row.cells[index] ?? "";
    if (column === undefined || column === "number" || done.includes(column) || text === "")
      continue;
    if (column === "file") fields.unshift([column, text]);
    else fields.push([column, text]);
  }
  return fields;
}

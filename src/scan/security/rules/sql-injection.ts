import { INNER, PART, type Value } from "../engine/value.ts";
import type { Rule } from "../rule.ts";
import { executionLevel } from "./level.ts";

const STATEMENT =
  /\b(?:select\b.*\bfrom|insert\s+into|update\b.*\bset|delete\s+from|drop\s+table|create\s+table|alter\s+table|where\s+\S+\s*(?:=|<|>|like|in)|order\s+by)(?:\W|$)/is;
/** Shells and patterns take texts that can look like SQL. */
const OTHER_TEXT = /^(?:child_process|shelljs|re|subprocess|os)\./;

/** The text is SQL and the outside value stands inside of it. */
const isBuilt = ({ text, flows }: Value): boolean =>
  text !== undefined &&
  STATEMENT.test(text) &&
  flows.some(({ shape }) => (shape & (INNER | PART)) !== 0);

export const SQL_INJECTION: Rule = {
  category: "sql-injection",
  title: "SQL built from outside data",
  harm: "The value becomes part of the statement, so it can read or change other rows.",
  fix: "Put a placeholder into the statement and hand the value over separately; choose names of tables and columns from a fixed list.",
  sinks: [
    {
      methods: [
        "query",
        "execute",
        "executemany",
        "executescript",
        "raw",
        "all",
        "get",
        "run",
        "exec",
        "each",
        "prepare",
        "unsafe",
        "$queryRawUnsafe",
        "$executeRawUnsafe",
        "queryAsync",
        "one",
        "any",
        "none",
        "fetch",
        "fetchrow",
        "literal",
        "text",
      ],
      args: [0],
      when: ({ api }, value) => !OTHER_TEXT.test(api) && isBuilt(value),
    },
    { calls: ["sqlalchemy.text", "text"], args: [0], when: (_, value) => isBuilt(value) },
  ],
  cleaners: [
    "escape",
    "escapeId",
    "escapeIdentifier",
    "escapeLiteral",
    "format",
    "quote_ident",
    "Identifier",
    "Literal",
  ],
  cleanerNames: /escape|quote|ident(?:ifier)?$|sanit/i,
  level: (kind) => executionLevel(kind),
};

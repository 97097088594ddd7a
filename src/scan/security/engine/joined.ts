import type { Place } from "../program.ts";
import { SQL_INJECTION } from "../rules/sql-injection.ts";
import { XSS } from "../rules/xss.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Value } from "./value.ts";

const MARKUP = /<[a-z][a-z\d]*(?:>|\s[^\0]*)\0/i;
const INSIDE_TAG = /<[a-z][a-z\d]*\s[^\0<>]*=["']?\0/i;
const STATEMENT =
  /^\s*(?:select\s[^\0]{0,200}\sfrom|insert\s+into|update\s[^\0]{0,200}\sset|delete\s+from)\s/i;
const QUOTED = /['"]%?\0/;

/**
 * A text in which an outside value follows a tag is markup, and one in which it stands in the
 * quotes of a statement is SQL, wherever the text goes from here.
 */
export function reportJoined(value: Value, at: Place, machine: Interpreter): void {
  const text = value.flows.length > 0 ? (value.text ?? "") : "";
  // Between tags, what is put in may be meant to be markup; inside of a tag it never is.
  const most = INSIDE_TAG.test(text) ? "P2" : "P3";
  if (MARKUP.test(text)) machine.report({ rule: XSS, at, what: "the markup", value, most });
  if (STATEMENT.test(text) && QUOTED.test(text))
    machine.report({ rule: SQL_INJECTION, at, what: "the statement", value, most: "P2" });
}

import { parseAddress, whyNotCitable } from "../../schema/address.ts";
import { requirementIds } from "./requirement-id.ts";

/** A line that names a requirement. */
export interface Citation {
  readonly id: string;
  readonly line: number;
  /** Whether the line says what the id means: it begins with it, in a document. */
  readonly isDefinition: boolean;
  /** Set for a REQ line: what stands with it. */
  readonly req?: ReqLine;
}

/** A REQ line of a comment, with the WHY and UCXL lines below it. */
export interface ReqLine {
  readonly why: string | undefined;
  readonly address: string | undefined;
  /** What is wrong with it, in words. */
  readonly problems: readonly string[];
}

/** How many lines below a REQ line its WHY and UCXL lines may stand. */
const NEAR = 6;
const CITED_MAX = 10_000;
/** What comments begin with in the languages there are. */
const COMMENT = "[ \\t]{0,200}(?:\\/\\/+|#+|--|;+|\\*+|\\/\\*+|<!--|%|\"|')?[ \\t]*";
const REQ = new RegExp(`^${COMMENT}REQ:[ \\t]*(\\S.*)$`);
const WHY = new RegExp(`^${COMMENT}WHY:[ \\t]*(\\S.*)$`);
const UCXL = new RegExp(`^${COMMENT}UCXL:[ \\t]*(\\S+)`);
const DOCUMENT = /\.(?:md|markdown|mdx|rst|adoc|txt|ya?ml|json|toml)$/i;
/** What can stand before the id that a line of a document is about: a heading's mark, a list's, a key. */
const LEAD = /^[\s#>|*+`"'[({-]{0,40}(?:\d{1,4}[.)] {0,4})?(?:"?id"?[:=] {0,4})?["'`*[]{0,4}$/i;

/** The lines of a file that name requirements, as its reader finds them: nothing is run or resolved. */
export function readCitations(path: string, text: string): Citation[] {
  const lines = text.split(/\r?\n/);
  const isDocument = DOCUMENT.test(path);
  const found: Citation[] = [];
  for (const [at, line] of lines.entries()) {
    if (found.length >= CITED_MAX) break;
    found.push(...citationsOn(lines, at, line, isDocument));
  }
  return found;
}

function citationsOn(lines: readonly string[], at: number, line: string, isDocument: boolean) {
  const ids = line.includes("-") ? requirementIds(line) : [];
  if (ids.length === 0) return [];
  const req = REQ.test(line) ? { req: reqLine(lines.slice(at + 1, at + 1 + NEAR)) } : {};
  return ids.map((id): Citation => {
    const isDefinition = isDocument && LEAD.test(line.slice(0, line.indexOf(id)));
    return { id, line: at + 1, isDefinition, ...req };
  });
}

function reqLine(below: readonly string[]): ReqLine {
  // The next REQ line has lines of its own.
  const next = below.findIndex((line) => REQ.test(line));
  const own = next < 0 ? below : below.slice(0, next);
  const why = own.map((line) => WHY.exec(line)?.[1]).find((one) => one !== undefined);
  const address = own.map((line) => UCXL.exec(line)?.[1]).find((one) => one !== undefined);
  return { why: why?.trim().slice(0, 1_000), address, problems: problemsOf(why, address) };
}

function problemsOf(why: string | undefined, address: string | undefined): string[] {
  const missing = why === undefined ? ["its REQ line has no WHY line"] : [];
  if (address === undefined) return [...missing, "its REQ line has no UCXL line"];
  const parsed = parseAddress(address);
  if (!parsed.ok) return [...missing, `its UCXL line is no address: ${parsed.wrong}`];
  const moving = whyNotCitable(address);
  return [...missing, ...(moving === undefined ? [] : [`its UCXL line can change: ${moving}`])];
}

import { type Refusal, refuse } from "./refusal.ts";

/** The first lines of a request, read by one strict grammar: no folding, no bare line feeds, no control characters. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly version: "1.0" | "1.1";
  /** Names in lower case, in the order they came. */
  readonly headers: readonly (readonly [string, string])[];
}

const HEADERS_MAX = 64;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** Checked over the whole head first, so that nothing below meets NUL, DEL, an escape or a byte above ASCII. */
const TEXT = /^[\t\r\n\x20-\x7e]*$/;

/** Reads a head without its closing empty line. */
export function parseHead(bytes: Buffer): RequestHead | Refusal {
  const text = bytes.toString("latin1");
  if (!TEXT.test(text)) {
    return refuse("malformed", "the request's head has control characters or bytes above ASCII");
  }
  const [first = "", ...lines] = text.split("\r\n");
  if (/[\r\n]/.test(text.replaceAll("\r\n", ""))) {
    return refuse("malformed", "a line of the head ends in something else than CR LF");
  }
  const parts = first.split(" ");
  const [method = "", target = "", protocol = ""] = parts;
  if (parts.length !== 3 || !TOKEN.test(method) || target === "" || /\t/.test(target)) {
    return refuse("malformed", "expected a method, a target and a version with single spaces");
  }
  if (protocol !== "HTTP/1.1" && protocol !== "HTTP/1.0") {
    return refuse("malformed", "expected HTTP/1.1");
  }
  if (lines.length > HEADERS_MAX) return refuse("head-size", `more than ${HEADERS_MAX} headers`);
  const headers = parseHeaders(lines);
  if (headers === undefined) return refuse("malformed", "a header is not a name, a colon, a value");
  return { method, target, version: protocol === "HTTP/1.1" ? "1.1" : "1.0", headers };
}

function parseHeaders(lines: readonly string[]): [string, string][] | undefined {
  const headers: [string, string][] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon));
    // A space before the colon or at the start of a line is where two readers begin to differ.
    if (!TOKEN.test(name)) return undefined;
    headers.push([name.toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return headers;
}

/** All values of a header. */
export function valuesOf({ headers }: RequestHead, name: string): string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}

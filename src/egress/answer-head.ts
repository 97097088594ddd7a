import { type Refusal, refuse } from "./refusal.ts";

/** How an answer's body ends. */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "close" };

/** The first lines of an answer, as strict as a request's: upstream may be hostile too. */
export interface AnswerHead {
  readonly status: number;
  /** Names in lower case; only headers that came once and hold plain text. */
  readonly headers: ReadonlyMap<string, string>;
  readonly framing: Framing;
  /** The connection can carry another request afterwards. */
  readonly isKept: boolean;
}

const HEADERS_MAX = 128;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5][0-9][0-9])(?: [^\r\n\0]*)?$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}):([^\r\n\0]*)$/;
/** Statuses whose answers never have a body. */
const BODILESS = new Set([204, 304]);

/** Reads an answer's head without its closing empty line. */
export function parseAnswerHead(bytes: Buffer, method: string): AnswerHead | Refusal {
  const [first = "", ...lines] = bytes.toString("latin1").split("\r\n");
  const status = STATUS_LINE.exec(first);
  const fields = lines.map((line) => HEADER.exec(line));
  if (status === null || fields.includes(null) || fields.length > HEADERS_MAX) {
    return refuse("upstream", "the answer's head is not well formed");
  }
  const headers = new Map<string, string>();
  const twice = new Set<string>();
  for (const [, key = "", value = ""] of fields.filter((field) => field !== null)) {
    const name = key.toLowerCase();
    if (headers.has(name)) twice.add(name);
    headers.set(name, value.trim());
  }
  if (twice.has("content-length") || twice.has("transfer-encoding") || twice.has("location")) {
    return refuse("framing", "the answer states its length or its place twice");
  }
  for (const name of twice) headers.delete(name);
  const code = Number(status[2]);
  const framing = method === "HEAD" || BODILESS.has(code) ? NONE : readFraming(headers);
  if ("refused" in framing) return framing;
  const wish = headers.get("connection")?.toLowerCase();
  const isKept = status[1] === "1" && framing.kind !== "close" && wish !== "close";
  return { status: code, headers, framing, isKept };
}

const NONE: Framing = { kind: "none" };

function readFraming(headers: ReadonlyMap<string, string>): Framing | Refusal {
  const length = headers.get("content-length");
  const coding = headers.get("transfer-encoding");
  if (coding !== undefined) {
    return coding.toLowerCase() === "chunked" && length === undefined
      ? { kind: "chunked" }
      : refuse("framing", "the answer's length can be read in more than one way");
  }
  if (length === undefined) return { kind: "close" };
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(length)) {
    return refuse("framing", "the answer's length is no plain number");
  }
  return { kind: "length", bytes: Number(length) };
}

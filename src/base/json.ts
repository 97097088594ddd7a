import { DEPTH_MAX, type Json } from "./canonical.ts";
import { messageOf, SwornError } from "./error.ts";

/**
 * Parses JSON that somebody else wrote. Beyond `JSON.parse` it refuses what two readers could take
 * differently (a key given twice, a lone surrogate) and what could exhaust us (size, depth).
 *
 * @throws SwornError `INPUT_INVALID` or `LIMIT_EXCEEDED`, saying what was found and where.
 */
export function parseJson(text: string, bytesMax: number): Json {
  if (Buffer.byteLength(text) > bytesMax) {
    throw new SwornError("LIMIT_EXCEEDED", `expected at most ${bytesMax} bytes of JSON`);
  }
  const value = parseSyntax(text);
  assertUnambiguous(text);
  return value;
}

/**
 * Decodes UTF-8 strictly: bytes that are not text are refused instead of being replaced.
 *
 * @throws SwornError `INPUT_INVALID`.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SwornError("INPUT_INVALID", "expected UTF-8 text, found other bytes", { cause });
  }
}

function parseSyntax(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new SwornError("INPUT_INVALID", `not JSON: ${messageOf(cause)}`, { cause });
  }
}

/** Walks the tokens of text that is known to be JSON; a set of keys per open object, null per array. */
function assertUnambiguous(text: string): void {
  const open: (Set<string> | null)[] = [];
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else assertString(token, text, index, open.at(-1) ?? null);
    if (open.length > DEPTH_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `JSON nested deeper than ${DEPTH_MAX} levels`);
    }
  }
}

const COLON = /\s*:/y;

function assertString(token: string, text: string, index: number, keys: Set<string> | null): void {
  const string = JSON.parse(token) as string;
  if (!string.isWellFormed()) {
    throw new SwornError("INPUT_INVALID", `a string at offset ${index} has a lone surrogate`);
  }
  COLON.lastIndex = index + token.length;
  if (keys === null || !COLON.test(text)) return;
  // Readers treat this key in ways of their own: as a parent, as nothing, or as a key.
  if (string === "__proto__") {
    throw new SwornError("INPUT_INVALID", `the key "__proto__" at offset ${index} is not allowed`);
  }
  if (keys.has(string)) {
    throw new SwornError("INPUT_INVALID", `the key ${token} at offset ${index} is given twice`);
  }
  keys.add(string);
}

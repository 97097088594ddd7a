import { type Entry, parseEntry } from "../schema/index.ts";
import type { LineProblem } from "./line.ts";
import { readLoosely } from "./loose-line.ts";

/** What a line says, as far as it can be read: an entry, or what keeps it from being one. */
export type ReadLine =
  | { readonly entry: Entry; readonly problem?: undefined }
  | { readonly entry?: Partial<Entry>; readonly problem: LineProblem };

/**
 * Reads a line whose spelling and signature were checked already. That it is not an entry at all
 * is said before that its signature is wrong: it is why.
 */
export function readLine(line: Buffer, found: LineProblem | undefined): ReadLine {
  const text = line.toString();
  // A line that passed can be parsed, and is an object no deeper than allowed.
  const entry = found ? readLoosely(line) : (JSON.parse(text) as Partial<Entry>);
  const value = entry ? { entry } : {};
  if (found && !SIGNATURE_CODES.includes(found.code)) return { ...value, problem: found };
  // In canonical text this can only be a key, and it is one that shapes do not look at.
  if (text.includes('"__proto__":')) {
    return {
      ...value,
      problem: { code: "SCHEMA_INVALID", message: 'the key "__proto__" is not allowed' },
    };
  }
  const parsed = parseEntry(entry);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const message = `${issue?.path.join(".") || "entry"}: ${issue?.message}`;
    return { ...value, problem: { code: "SCHEMA_INVALID", message } };
  }
  return found ? { ...value, problem: found } : { entry: parsed.data };
}

const SIGNATURE_CODES: readonly string[] = ["KEY_UNKNOWN", "SIG_INVALID"];

import { BINARY_EXTENSIONS, type Form, LANGUAGES } from "./languages.ts";

/** What a file is, as far as its name and its first bytes tell. */
export interface FileKind {
  /** Lower case: `typescript`; `unknown` where nothing fits. */
  readonly language: string;
  readonly form: Form;
}

/** How much of a file's start is looked at; a `#!` line and a NUL byte show early or not at all. */
const START_CHARS_MAX = 8_000;

const byExtension = new Map(
  LANGUAGES.toReversed().flatMap((row) => row.extensions.map((name) => [name, row] as const)),
);
const byName = new Map(
  LANGUAGES.toReversed().flatMap((row) => (row.names ?? []).map((name) => [name, row] as const)),
);
const byInterpreter = new Map(
  LANGUAGES.toReversed().flatMap((row) =>
    (row.interpreters ?? []).map((name) => [name, row] as const),
  ),
);

/**
 * Tells what kind of file this is. Bytes decide over names: a NUL among the first ones makes any
 * file binary, whatever it is called.
 */
export function fileKind(path: string, start: string | Uint8Array): FileKind {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "";
  if (BINARY_EXTENSIONS.has(extension) || hasNul(start)) {
    return { language: "unknown", form: "binary" };
  }
  const row =
    byName.get(name) ?? byExtension.get(extension) ?? byPrefix(name) ?? byShebang(textOf(start));
  return row ? { language: row.language, form: row.form } : { language: "unknown", form: "text" };
}

/** `.env.local` and `Dockerfile.dev` are what their first part says. */
function byPrefix(name: string) {
  if (name.startsWith(".env.")) return byName.get(".env");
  const first = name.split(".", 1)[0] ?? "";
  return /^(?:dockerfile|containerfile|makefile)$/.test(first) ? byName.get(first) : undefined;
}

function byShebang(start: string) {
  const program =
    /^#![ \t]{0,8}(?:[^\s]{0,200}\/)?env[ \t]{1,8}(?:-S[ \t]{1,8})?(?:[^\s]{0,200}\/)?([a-z-]{1,40})|^#![ \t]{0,8}(?:[^\s]{0,200}\/)?([a-z-]{1,40})/.exec(
      start.slice(0, 512),
    );
  return byInterpreter.get(program?.[1] ?? program?.[2] ?? "");
}

function hasNul(start: string | Uint8Array): boolean {
  return typeof start === "string"
    ? start.slice(0, START_CHARS_MAX).includes("\0")
    : start.subarray(0, START_CHARS_MAX).includes(0);
}

function textOf(start: string | Uint8Array): string {
  if (typeof start === "string") return start;
  return Buffer.from(start.subarray(0, 512)).toString("latin1");
}

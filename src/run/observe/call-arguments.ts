import { posix } from "node:path";

/** What a call started: the file, and what it was told. */
export interface StartedProgram {
  /** As it was named: relative to where the process was, unless it begins with a slash. */
  readonly file: string;
  readonly argv: readonly string[];
}

const TEXT = /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/y;
const POINTER = /(?:NULL|0x[0-9a-f]{1,16})/y;
const FOLDER = /(?:AT_FDCWD|-?\d{1,10})(?:<((?:\\x[0-9a-f]{2})*)>)?(?:\(deleted\))?/y;
/** Stands where strace left something out. */
const CUT = "…";

/** Reads the arguments of `execve`; undefined when they are not as strace writes them. */
export function startedBy(args: string): StartedProgram | undefined {
  const reader = new ArgumentReader(args);
  const file = reader.text();
  if (file === undefined || !reader.skip(", ")) return undefined;
  const argv = reader.list();
  return argv && { file, argv: argv.length === 0 ? [file] : argv };
}

/** The same for `execveat`, whose file may be an open one or lie in an open folder. */
export function startedAt(args: string): StartedProgram | undefined {
  const reader = new ArgumentReader(args);
  const folder = reader.folder();
  if (folder === undefined || !reader.skip(", ")) return undefined;
  const started = startedBy(reader.rest());
  if (started === undefined) return undefined;
  return { ...started, file: posix.resolve("/", folder, started.file) };
}

/** Where `chdir` or `fchdir` goes to. */
export function folderOf(args: string): string | undefined {
  const reader = new ArgumentReader(args);
  return reader.text() ?? reader.folder();
}

class ArgumentReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rest(): string {
    return this.#text.slice(this.#at);
  }

  skip(what: string): boolean {
    const isThere = this.#text.startsWith(what, this.#at);
    if (isThere) this.#at += what.length;
    return isThere;
  }

  text(): string | undefined {
    const found = this.#match(TEXT);
    return found && decode(found[1] ?? "") + (found[2] === undefined ? "" : CUT);
  }

  folder(): string | undefined {
    const found = this.#match(FOLDER);
    return found?.[1] === undefined ? undefined : decode(found[1]);
  }

  /** A list of texts. One that could not be read, or not to its end, has a mark in its place. */
  list(): string[] | undefined {
    if (!this.skip("[")) return this.#match(POINTER) && [];
    const texts: string[] = [];
    while (!this.skip("]")) {
      if (texts.length > 0 && !this.skip(", ")) return undefined;
      const text = this.text() ?? this.#unread();
      if (text === undefined) return undefined;
      texts.push(text);
    }
    return texts;
  }

  #unread(): string | undefined {
    if (this.skip("...")) {
      // Where strace could not read on, it says from which address.
      const end = this.#text.indexOf("]", this.#at);
      this.#at = end < 0 ? this.#text.length : end;
      return CUT;
    }
    return this.#match(POINTER) && CUT;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

function decode(hex: string): string {
  return Buffer.from(hex.replaceAll("\\x", ""), "hex").toString("utf8");
}

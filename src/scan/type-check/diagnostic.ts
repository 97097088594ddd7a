import { SwornError } from "../../base/index.ts";

/** One error of the compiler. */
export interface Diagnostic {
  /** As in the tree. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly code: number;
  readonly message: string;
}

const LINE =
  /^(?:tree\/([^\n]{1,1000}?)|ambient\.d\.ts)\((\d{1,9}),(\d{1,9})\): error TS(\d{1,6}): (.*)$/;
const MESSAGE_LINES_MAX = 6;
const MESSAGE_CHARS_MAX = 1_500;

/**
 * Reads what the compiler printed: errors, then the files it read.
 *
 * @throws SwornError when it complained about its configuration, or read a file that is neither the
 * tree's nor its own: what such a run says of the tree may come from somewhere else.
 */
export function readOutput(output: string, folder: string): Diagnostic[] {
  const found: { -readonly [K in keyof Diagnostic]: Diagnostic[K] }[] = [];
  let lines = 0;
  for (const line of output.split(/\r?\n/)) {
    const match = LINE.exec(line);
    if (match) {
      const [, path = "", at, column, code, message = ""] = match;
      lines = 1;
      found.push({ path, line: Number(at), column: Number(column), code: Number(code), message });
      continue;
    }
    if (/^error TS\d/.test(line)) {
      throw new SwornError(
        "INPUT_INVALID",
        `the compiler refused its options: ${line.slice(0, 300)}`,
      );
    }
    const last = found.at(-1);
    if (line.startsWith("  ") && last) {
      lines += 1;
      if (lines <= MESSAGE_LINES_MAX) last.message += `\n${line}`;
    } else checkFile(line, folder);
  }
  return found
    .filter(({ path }) => path !== "")
    .map((one) => ({ ...one, message: one.message.slice(0, MESSAGE_CHARS_MAX) }));
}

/** A tree can name files of the machine in its imports; nothing is said about it then. */
function checkFile(line: string, folder: string): void {
  const path = line.replaceAll("\\", "/");
  if (path === "" || path.startsWith(`${folder.replaceAll("\\", "/")}/`)) return;
  if (/\/lib\.[a-z0-9.]{1,60}\.d\.ts$/.test(path)) return;
  throw new SwornError("PATH_ESCAPES", "the compiler would read files that are not the tree's");
}

/** Errors about names, places and numbers, which stand whatever the types are. */
const SURE = new Set([2300, 2391, 2393, 2448, 2449, 2451, 2459, 2554, 2555, 2588, 2783, 7029]);
/** Errors about types: assignments, arguments, members, operators, missing values. */
const TYPED = new Set([
  2322, 2339, 2341, 2344, 2345, 2349, 2351, 2353, 2355, 2362, 2363, 2365, 2366, 2367, 2378, 2415,
  2416, 2420, 2445, 2454, 2511, 2515, 2531, 2532, 2533, 2540, 2551, 2559, 2561, 2678, 2721, 2722,
  2723, 2739, 2740, 2741, 2769, 2774, 2801, 2872, 2873, 7030, 18047, 18048, 18049,
]);
/** A module has no such member; not sure where a module passes on what is not there. */
const NO_MEMBER = new Set([2305, 2614, 2724]);
/** Names that nobody in the tree declares. */
const MISSING = new Set([2304, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593]);
const PLAIN_TYPE = /^(?:string|number|boolean|-?\d+|"[^"]{0,100}")(?:\[\]){0,3}$/;

/** What is known about the surroundings of an error. */
export interface Surroundings {
  /** Whether some module passes on everything of one that is not there. */
  readonly passesOnMissing: boolean;
  /** Whether types around it are computed from what is not there. */
  readonly restsOnMissing: boolean;
  /** Types of missing modules of which the tree only declares what it adds. */
  readonly augmented: ReadonlySet<string>;
}

/**
 * Whether an error is the tree's own. All those are dropped that may only mean that a module or a
 * global is not there; where types rest on such, only errors between plain types are believed.
 */
export function isOwn(
  { code, message }: Diagnostic,
  { passesOnMissing, restsOnMissing, augmented }: Surroundings,
): boolean {
  if (code < 1_200) return code >= 1_001;
  // A class whose base is missing takes any arguments, whatever is said here.
  if (SURE.has(code)) return !restsOnMissing || !message.startsWith("Expected 0 ");
  if (NO_MEMBER.has(code)) return !passesOnMissing && /"\.{1,2}\//.test(message);
  if (!TYPED.has(code) || OF_THE_MISSING.test(message)) return false;
  if (typesIn(message).some((one) => augmented.has(one))) return false;
  return !restsOnMissing || isAboutPlainTypes(code, message);
}

/** What stands in quotation marks in a message. */
const typesIn = (message: string) =>
  [...message.matchAll(/'([^'\n]{1,300})'/g)].map((match) => match[1] ?? "");

/**
 * Members of globals, which packages add to; `any` itself and `unknown`, to which a collection of it
 * decays; and tests of types, which compare a truth computed from them.
 */
const OF_THE_MISSING = /on type '(?:typeof globalThis|Window\b)|\bunknown\b|'any'|'true'.*'false'/;

/** Between these nothing that is missing can stand. A union may only lack a check on something missing. */
function isAboutPlainTypes(code: number, message: string): boolean {
  if (![2322, 2345, 2365, 2367].includes(code)) return false;
  const types = typesIn(message).filter((one) => !/^(?:[<>]=?|[=!]==?|[-+*/%&|^])$/.test(one));
  return types.length > 1 && types.every((one) => PLAIN_TYPE.test(one));
}

/** The name that an error says is missing, if that is what it says. */
export function missingName({ code, message }: Diagnostic): string | undefined {
  if (!MISSING.has(code)) return undefined;
  return /^Cannot find name '([A-Za-z_$][\w$]{0,100})'/.exec(message)?.[1];
}

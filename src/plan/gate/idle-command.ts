/** Programs that end in the same way whatever was done. */
const IDLE =
  /^(?:true|false|:|echo|printf|pwd|date|sleep|exit|yes|uname|whoami|id|hostname|env|printenv|arch|nproc|uptime|clear|sync)$/;
/** Programs that start another one and end as it does. */
const WRAPPERS = /^(?:env|nice|nohup|timeout|time|command|exec|stdbuf|setsid|busybox|xargs|sudo)$/;
const SHELLS = /^(?:ba|da|z|a|k)?sh$/;
const CODE_OF: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:node|bun|deno)$/, /^(?:-e|--eval|-p|--print|eval)$/],
  [/^python3?(?:\.\d+)?$/, /^-c$/],
  [/^(?:perl|ruby)$/, /^-e$/],
];
/** Code that looks at nothing and refuses nothing. */
const LOOKS =
  /require|import|open|read|fs\b|file|path|fetch|http|exec|spawn|system|assert|throw|raise|die\b|abort|argv|environ|exit\(\s*[1-9]|exit [1-9]|exitCode/i;
const ASKS_FOR_NOTHING = /^(?:--version|--help|-v|-V|-h|--collect-only|--dry-run|--just-print)$/;
/** The end of a shell's script that makes it end well after anything. */
const FORGIVEN = /(?:\|\||;|\n|&)\s*(?:true|:|exit 0|echo\b[^|&;]*|printf\b[^|&;]*)\s*;?\s*$|&\s*$/;
const NESTING_MAX = 8;

/** Whether a command ends in the same way whatever the work is like; what it does not know, it takes for a check. */
export function isIdle(argv: readonly string[], nesting = 0): boolean {
  const [program = "", ...rest] = argv;
  const name = program.replace(/^.*\//, "");
  // What is wrapped deeper than any real check hides something.
  if (name === "" || nesting > NESTING_MAX) return true;
  const wrapped = WRAPPERS.test(name) ? rest.slice(startedAt(rest)) : [];
  if (wrapped.length > 0) return isIdle(wrapped, nesting + 1);
  if (SHELLS.test(name)) return isIdleScript(rest, nesting);
  return IDLE.test(name) || asksForNothing(name, rest) || isIdleCode(name, rest);
}

/** Programs that look at something when they are told what, and were not told. */
function asksForNothing(name: string, rest: readonly string[]): boolean {
  switch (name) {
    case "test":
    case "[":
      return rest.filter((one) => one !== "]").length <= 1;
    case "ls":
    case "find":
      return rest.every((one) => /^-|^\.$/.test(one));
    case "make":
      return rest.includes("-n");
    default:
      return rest.length <= 2 && rest.some((one) => ASKS_FOR_NOTHING.test(one));
  }
}

function isIdleCode(name: string, rest: readonly string[]): boolean {
  const flag = CODE_OF.find(([runs]) => runs.test(name))?.[1];
  const at = flag === undefined ? -1 : rest.findIndex((one) => flag.test(one));
  return at >= 0 && !LOOKS.test(rest.slice(at + 1).join(" "));
}

/** Behind the settings of a wrapper: options, variables and a time. */
function startedAt(rest: readonly string[]): number {
  const at = rest.findIndex((one) => !/^-|^\w+=|^\d+(?:\.\d+)?[smhd]?$/.test(one));
  return at < 0 ? rest.length : at;
}

function isIdleScript(rest: readonly string[], nesting: number): boolean {
  const at = rest.findIndex((one) => /^-[a-z]*c$/.test(one));
  const script = at < 0 ? undefined : rest[at + 1];
  if (script === undefined) return false;
  if (FORGIVEN.test(script)) return true;
  return script
    .split(/[;&|\n]+/)
    .map((part) => part.trim().split(/\s+/))
    .filter(([first = ""]) => first !== "")
    .every((words) => isIdle(words, nesting + 1));
}

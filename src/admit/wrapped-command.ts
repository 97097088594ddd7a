import { operandsOf } from "./command-words.ts";

const SHELLS =
  /^(sh|bash|dash|zsh|ksh|mksh|ash|fish|rbash|csh|tcsh|nu|xonsh|elvish|pwsh|powershell|su|runuser|script|flock)$/;
/** Programs whose arguments are scripts, each by itself or all of them together. */
const SCRIPT_RUNNERS = /^(eval|watch|parallel|tmux|screen|concurrently|nodemon|entr)$/;
const INTERPRETERS = /^(python|pypy|node|nodejs|bun|deno|perl|ruby|php|lua|Rscript)[0-9.]*$/;

/** Programs and words of the shell that run what stands behind them. */
const WRAPPERS = new Set(
  (
    "env sudo doas nice ionice nohup time stdbuf setsid exec command builtin xargs strace ltrace unshare setpriv " +
    "ssh-agent dbus-run-session systemd-run systemd-inhibit unbuffer chronic setarch fakeroot proot firejail " +
    "xvfb-run busybox toybox npx bunx pnpx uvx dotenv cross-env tini dumb-init script " +
    "! if then else elif do while until {"
  ).split(" "),
);
/** The same, with one word of their own before it: a duration, a user, a folder, a lock. */
const WRAPPERS_WITH_WORD = new Set(
  "timeout gtimeout faketime taskset chrt flock chroot gosu su-exec".split(" "),
);

/** Package managers and others that run a program when told so. */
const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", ["exec", "x"]],
  ["pnpm", ["exec", "dlx"]],
  ["yarn", ["exec", "dlx", "run"]],
  ["bun", ["x", "run"]],
  ["pipx", ["run"]],
  ["uv", ["run"]],
  ["poetry", ["run"]],
  ["pipenv", ["run"]],
  ["hatch", ["run"]],
  ["bundle", ["exec"]],
  ["mise", ["exec", "x"]],
  ["conda", ["run"]],
  ["git", ["run"]],
]);

/** Strings among the arguments that the program reads as a shell script. */
export function scriptsOf(program: string, args: readonly string[]): string[] {
  if (SCRIPT_RUNNERS.test(program)) return [args.join(" "), ...args];
  if (program === "env")
    return [...valuesOf(args, /^(-[a-zA-Z]*S|--split-string)$/), ...joined(args)];
  if (/^(npx|npm|pnpm|bunx)$/.test(program)) return valuesOf(args, /^(-c|--call)$/);
  if (program === "git") return valuesOf(args, /^(foreach|-x|--exec)$/);
  return SHELLS.test(program) ? valuesOf(args, /^(-[A-Za-z]*c[A-Za-z]*|--command|-Command)$/) : [];
}

/** Argument lists in which another command begins; one by one, because there can be very many. */
export function commandsBehind(program: string, args: readonly string[]): Iterable<string[]> {
  if (program === "find") return afterEach(args, /^-(exec|execdir|ok|okdir)$/);
  if (INTERPRETERS.test(program)) return afterEach(args, /^-m$/);
  if (WRAPPERS_WITH_WORD.has(program)) return candidates(args, 1);
  if (WRAPPERS.has(program)) return candidates(args, 0);
  const verbs = RUNNERS.get(program) ?? [];
  const at = args.findIndex((arg) => verbs.includes(arg));
  return at < 0 ? [] : candidates(args.slice(at + 1), 0);
}

/** The strings in code that an interpreter is given on its command line. */
export function literalsOf(program: string, args: readonly string[]): string[] {
  if (!INTERPRETERS.test(program)) return [];
  const code = valuesOf(args, /^(-[a-zA-Z]*[cerpE]|--eval|--print|eval)$/).join("\n");
  // The closing quote may be missing: a pattern that demands it would search again from every quote.
  const literals = code.matchAll(/"((?:[^"\\]|\\.)*)"?|'((?:[^'\\]|\\.)*)'?|`([^`]*)`?/gs);
  return Array.from(literals, (match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The script in `-Sgit push`. */
function joined(args: readonly string[]): string[] {
  return args.flatMap((arg) => (/^-S./.test(arg) ? [arg.slice(2)] : []));
}

/** What stands behind, or with an equals sign in, the options of that form. */
function valuesOf(args: readonly string[], option: RegExp): string[] {
  return args.flatMap((arg, at) => {
    const equals = arg.indexOf("=");
    if (equals > 0 && option.test(arg.slice(0, equals))) return [arg.slice(equals + 1)];
    if (!option.test(arg)) return [];
    // Further options may stand between -c and its script.
    const value = args.slice(at + 1).find((word) => !word.startsWith("-"));
    return value === undefined ? [] : [value];
  });
}

function* afterEach(args: readonly string[], option: RegExp): Iterable<string[]> {
  for (const [at, arg] of args.entries()) if (option.test(arg)) yield args.slice(at + 1);
}

/** Each place the inner command may begin at: behind the wrapper's own words, or right behind an option. */
function* candidates(args: readonly string[], own: number): Iterable<string[]> {
  let firm = 0;
  for (const { at, word, isMaybeValue } of operandsOf(args)) {
    yield args.slice(at);
    if (isMaybeValue || /^[A-Za-z_][A-Za-z0-9_]*=/.test(word)) continue;
    firm += 1;
    if (firm > own) return;
  }
}

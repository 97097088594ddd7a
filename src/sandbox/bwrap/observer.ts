import type { HostOwner } from "../engine.ts";
import { tryProgram } from "./trial.ts";

/** Of each text, and of how many a list may have: what is longer is cut, and looks like it. */
const TEXT_BYTES_MAX = 1_024;
/**
 * What a program starts, and where. The last one is what every copy of a process does first (a thread
 * too): until its first call that is asked for, strace stops a new process at each call that it makes.
 */
const CALLS = [
  ...["execve", "execveat", "chdir", "fchdir", "clone", "clone3", "fork", "vfork"],
  "set_robust_list",
];
/** These end nothing by themselves, and some programs get them by the thousand. */
const HARMLESS_SIGNALS = "SIGCHLD,SIGURG,SIGWINCH,SIGCONT";

/**
 * How strace is started, in front of bubblewrap, so that everything in the sandbox is its
 * descendant. Its filter is the reason why nothing is lost without being noticed: a process that it
 * does not see, because it was started in a way that hides it or because strace is gone, is told by
 * the kernel that there is no such call as `execve`. The sandbox's own filter is asked as well, and a
 * refusal of that one wins. Texts come in hexadecimal: nothing that a program is told can look like
 * a part of a line, or like its end.
 */
export const OBSERVER: readonly string[] = [
  // It dies with us, and bubblewrap with it: otherwise nothing would end when we are killed.
  ...["setpriv", "--pdeathsig", "KILL", "--"],
  ...["strace", "-f", "--seccomp-bpf", "-q", "-ttt", "-xx", "-y", "-s", `${TEXT_BYTES_MAX}`],
  ...["-e", `trace=${CALLS}`],
  ...["-e", `signal=!${HARMLESS_SIGNALS}`, "--"],
];

let canObserve: Promise<boolean> | undefined;

/**
 * Whether strace is there and can watch a sandbox from outside; tried once, with the smallest one.
 * Some machines have none, forbid it, or have a bubblewrap that only works unwatched.
 */
export function isObservable(owner: HostOwner | undefined): Promise<boolean> {
  canObserve ??= tryObserving(owner);
  return canObserve;
}

async function tryObserving(owner: HostOwner | undefined): Promise<boolean> {
  const sandbox = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--", "sh", "-c", "true; :"];
  const [program = "", ...args] = [...OBSERVER, ...sandbox];
  const { code, stderr } = await tryProgram(program, args, owner);
  // It says so, and goes on, when it has to do without its filter.
  const isComplaining = /^strace: /m.test(stderr);
  return code === 0 && !isComplaining && stderr.endsWith(" exited with 0 +++\n");
}

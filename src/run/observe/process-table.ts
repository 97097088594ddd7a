import { folderOf, type StartedProgram, startedAt, startedBy } from "./call-arguments.ts";
import { matchBirths } from "./match-births.ts";
import type { ParentLink, RunningProgram } from "./observed-process.ts";
import type { TraceEvent, TraceLine } from "./trace-line.ts";
import { type Birth, goTo, type WorkingFolder } from "./working-folder.ts";

const PROGRAMS_MAX = 10_000;
const TOLD_CHARS_MAX = 16 << 20;
/** More than this are followed one by one, but not who made them. */
const BIRTHS_MAX = 100_000;
const CHILD_CALLS = /^(?:clone3?|v?fork)$/;
/** Asked for so that strace looks away sooner; it says nothing about what runs. */
const TELLS_NOTHING = "set_robust_list";

/** One thread, as strace numbers them. */
interface Thread {
  readonly pid: number;
  readonly birth: Birth & ParentLink;
  /** What it ran, one after the other; nothing, for a thread or a copy of its parent. */
  readonly programs: RunningProgram[];
  folder: WorkingFolder;
  hasMoved: boolean;
  /** Its last call was dropped, so that nothing can come from it but its end. */
  isEnding?: boolean;
  /** The call that it has not come back from. */
  call?: { readonly name: string; readonly args: string; readonly atUs: number } | undefined;
}

/** What a parent was told when it made a child. */
interface Made {
  readonly inner: number;
  readonly folder: WorkingFolder;
  readonly program: ParentLink;
  /** A thread, which takes its siblings along wherever it goes. */
  readonly isShared: boolean;
}

type Called = Extract<TraceEvent, { kind: "call" | "unfinished" | "resumed" }>;

/** Follows, line by line, what runs in a sandbox: who began what where, and how each ended. */
export class ProcessTable {
  readonly programs: RunningProgram[] = [];
  readonly gaps = new Set<string>();
  readonly #launcher: string;
  readonly #cwd: string;
  readonly #onChild: () => void;
  readonly #alive = new Map<number, Thread>();
  /** All that were ever inside, but the first, as they came up. */
  readonly #lives: Thread[] = [];
  readonly #made: Made[] = [];
  /** The process of the task's own program. */
  #first: number | undefined;
  #hasBegun = false;
  #toldChars = 0;

  /** `onChild` is told of every program that begins in another process than the task's own. */
  constructor(
    { launcher, cwd }: { readonly launcher: string; readonly cwd: string },
    onChild: () => void = () => {},
  ) {
    this.#launcher = launcher;
    this.#cwd = cwd;
    this.#onChild = onChild;
  }

  take({ pid, atUs, what }: TraceLine): void {
    if (pid === undefined) {
      // Bubblewrap, before and after all others: as long as there are any, strace names each.
      if (this.#alive.size > 0) this.gaps.add("a line names no process");
      return;
    }
    const thread = this.#find(pid);
    if (what.kind === "exited") this.#end(thread, { atUs, exit: what.code });
    else if (what.kind === "killed") this.#end(thread, { atUs, signal: what.signal });
    else if (what.kind === "superseded") this.#replace(thread, what.by);
    else if (what.kind === "dropped") thread.isEnding = true;
    else if (what.kind !== "other") this.#call(thread, atUs, what);
  }

  /** To be asked when there are no more lines: names what may have been missed. */
  close(): ReadonlySet<string> {
    if (!this.#hasBegun) this.gaps.add("the beginning was not seen");
    if (this.#alive.size > 0) {
      this.gaps.add(`${this.#alive.size} did not end before the watching did`);
    }
    this.#settleBirths();
    return this.gaps;
  }

  #settleBirths(): void {
    const pids = this.#lives.map(({ pid }) => pid);
    const inner = this.#made.map((one) => one.inner);
    let isDoubtful = false;
    for (const [birth, life] of matchBirths(pids, inner) ?? []) {
      const [child, made] = [this.#lives[life], this.#made[birth]];
      if (child === undefined || made === undefined) continue;
      Object.assign(child.birth, { folder: made.folder, via: made.program });
      isDoubtful ||= made.isShared && child.hasMoved;
    }
    // When exactly the others went along is not known, and it is too rare to be worth finding out.
    if (isDoubtful) for (const program of this.programs) program.folder = { since: {}, path: "." };
  }

  #find(pid: number): Thread {
    const known = this.#alive.get(pid);
    if (known !== undefined) return known;
    const birth: Birth = {};
    const folder = { since: birth, path: "." };
    const thread: Thread = { pid, birth, programs: [], folder, hasMoved: false };
    // Before the beginning there is only what builds the sandbox.
    if (!this.#hasBegun) return thread;
    this.#alive.set(pid, thread);
    if (this.#lives.length < BIRTHS_MAX) this.#lives.push(thread);
    return thread;
  }

  #call(thread: Thread, atUs: number, what: Called): void {
    if (thread.isEnding) this.gaps.add("a call could not be read, and its process went on");
    if (what.kind === "unfinished") {
      thread.call = { name: what.name, args: what.args, atUs };
      return;
    }
    const begun = what.kind === "resumed" ? thread.call : { name: what.name, args: "", atUs };
    thread.call = undefined;
    if (begun?.name !== what.name) {
      this.gaps.add("a call came back that nobody had seen begin");
    } else if (what.value !== undefined && what.value >= 0) {
      this.#came(thread, { ...begun, args: begun.args + what.args }, what.value);
    }
  }

  #came(thread: Thread, call: NonNullable<Thread["call"]>, value: number): void {
    const { name, args } = call;
    if (name === TELLS_NOTHING) return;
    if (CHILD_CALLS.test(name)) this.#born(thread, value, args);
    else if (name === "execve" || name === "execveat") this.#start(thread, call);
    else {
      const path = folderOf(args);
      if (path === undefined) this.gaps.add("a change of folder could not be read");
      else thread.folder = goTo(thread.folder, path);
      thread.hasMoved = true;
    }
  }

  #born(parent: Thread, inner: number, args: string): void {
    if (!this.#hasBegun) return;
    // The kernel hides such a child from whoever watches its parent.
    if (args.includes("CLONE_UNTRACED")) this.gaps.add("a process was started hidden");
    if (this.#made.length >= BIRTHS_MAX) return;
    const program = parent.programs.at(-1);
    this.#made.push({
      inner,
      folder: parent.folder,
      program: program === undefined ? parent.birth : { program },
      isShared: args.includes("CLONE_FS"),
    });
  }

  #start(thread: Thread, { name, args, atUs }: NonNullable<Thread["call"]>): void {
    const started = name === "execve" ? startedBy(args) : startedAt(args);
    if (started === undefined) this.gaps.add("the start of a program could not be read");
    else if (this.#hasBegun) this.#run(thread, started, atUs);
    else if (started.file === this.#launcher) this.#begin(thread);
  }

  /** The first process of the sandbox: from here on everything belongs to the task. */
  #begin(thread: Thread): void {
    this.#hasBegun = true;
    thread.folder = { known: this.#cwd };
    this.#alive.set(thread.pid, thread);
  }

  #run(thread: Thread, started: StartedProgram, atUs: number): void {
    const { pid, folder, programs } = thread;
    const before = programs.at(-1);
    const from = before === undefined ? thread.birth : { program: before };
    const program: RunningProgram = { pid, ...started, folder, beganUs: atUs, from };
    programs.push(program);
    // What the first process becomes is the task itself: an interpreter behind a script, say.
    this.#first ??= pid;
    if (pid !== this.#first) this.#onChild();
    this.#toldChars += started.argv.reduce((sum, { length }) => sum + length, 0);
    if (this.programs.length < PROGRAMS_MAX && this.#toldChars < TOLD_CHARS_MAX) {
      this.programs.push(program);
    } else this.gaps.add(`more than ${PROGRAMS_MAX} programs, or more told to them than is kept`);
  }

  #end(thread: Thread, end: NonNullable<RunningProgram["end"]>): void {
    this.#alive.delete(thread.pid);
    for (const program of thread.programs) program.end = end;
  }

  /** A thread became its whole process: what it started did start, and nobody comes back to say so. */
  #replace(thread: Thread, by: number): void {
    const other = this.#alive.get(by);
    this.#alive.delete(by);
    if (other?.call === undefined) this.gaps.add("a thread became a process, and nobody saw how");
    else this.#start(thread, other.call);
    thread.call = other?.call;
    thread.isEnding = false;
  }
}

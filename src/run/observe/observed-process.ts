import { posix } from "node:path";
import { pathOf, type WorkingFolder } from "./working-folder.ts";

/** A program that was seen to run, from its start to the end of its process. */
export interface ObservedProcess {
  /** As the host numbers it. Several have the same number when one became the next. */
  readonly pid: number;
  /**
   * What was executed, and what it was told. The first is the file that the kernel was given, not
   * the name that the program was told to have: that one is whatever its starter likes.
   */
  readonly argv: readonly string[];
  /** Where it began; undefined when nobody saw where its parent was. */
  readonly cwd: string | undefined;
  /** When, in milliseconds since 1970. */
  readonly beganMs: number;
  readonly endedMs: number;
  /** How the process ended, whatever it became before; undefined when a signal ended it. */
  readonly exit: number | undefined;
  readonly signal: string | undefined;
  /** The place in the list of the program that started it, or that it was before. */
  readonly parent: number | undefined;
}

/** A program while it runs. */
export interface RunningProgram {
  readonly pid: number;
  readonly file: string;
  readonly argv: readonly string[];
  folder: WorkingFolder;
  readonly beganUs: number;
  /** Whoever the process was before, or its parent. */
  readonly from: ParentLink;
  end?: { readonly atUs: number; readonly exit?: number; readonly signal?: string };
}

/** Who started something: a program, or whoever made the copy of one that did. */
export interface ParentLink {
  readonly program?: RunningProgram | undefined;
  /** Filled in at the end. */
  readonly via?: ParentLink | undefined;
}

const COPIES_MAX = 1_000;

/** In the order in which they began. */
export function toProcesses(programs: readonly RunningProgram[]): ObservedProcess[] {
  const places = new Map(programs.map((program, at) => [program, at]));
  return programs.map((program, at) => {
    const { pid, argv, beganUs, end, folder, from } = program;
    const cwd = pathOf(folder);
    const starter = starterOf(from);
    const parent = starter && places.get(starter);
    return {
      pid,
      argv: [fileOf(program, cwd), ...argv.slice(1)],
      cwd,
      beganMs: Math.floor(beganUs / 1_000),
      endedMs: Math.ceil((end?.atUs ?? beganUs) / 1_000),
      exit: end?.exit,
      signal: end?.signal,
      // Whoever started something began before it; what says otherwise is a mistake, and would be a circle.
      parent: parent !== undefined && parent < at ? parent : undefined,
    };
  });
}

function starterOf(link: ParentLink): RunningProgram | undefined {
  let at: ParentLink | undefined = link;
  for (let count = 0; count < COPIES_MAX && at !== undefined; count += 1) {
    if (at.program !== undefined) return at.program;
    at = at.via;
  }
  return undefined;
}

function fileOf({ file }: RunningProgram, cwd: string | undefined): string {
  return file.startsWith("/") || cwd === undefined ? file : posix.join(cwd, file);
}

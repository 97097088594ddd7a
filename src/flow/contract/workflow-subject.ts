import { SwornError } from "../../base/index.ts";
import { assignFiles, type Workflow } from "../../plan/index.ts";
import type { Repository } from "../../repo/index.ts";
import { openSubject, type Wanted } from "../review/subject.ts";

/** A longer name cannot stand in a contract. */
const NAME_CHARS_MAX = 900;

/** Which files a team is to look at, as it was asked for. */
export interface FilesWanted {
  readonly globs: readonly string[];
  readonly range?: string | undefined;
}

/** The files to deal out, and those that nobody can be given. */
export interface TeamSubject {
  /** In words, for the prompts. */
  readonly about: string;
  readonly head: string;
  /** Undefined where the team reads what its task needs. */
  readonly files: readonly string[] | undefined;
  readonly gaps: readonly { readonly file: string; readonly why: string }[];
}

/**
 * Finds the files of a workflow: what a change touches for a report, the whole tree for an audit,
 * and nothing for other work unless it was asked for.
 */
export async function teamSubject(
  repository: Repository,
  workflow: Workflow,
  { globs, range }: FilesWanted,
): Promise<TeamSubject> {
  const wanted = wantedFor(workflow, globs, range);
  if (wanted === undefined) {
    const head = await repository.resolveCommit("HEAD");
    return { about: `the repository at ${head.slice(0, 12)}`, head, files: undefined, gaps: [] };
  }
  const subject = await openSubject(repository, wanted);
  const readable = subject.files.map(({ path }) => path);
  const gaps = [
    ...subject.gaps.map(({ what, why }) => ({ file: what, why })),
    ...subject.deleted.map(({ path }) => ({ file: path, why: "it was deleted" })),
  ];
  const chosen = chooser([...readable, ...gaps.map(({ file }) => file)], globs);
  const files = readable.filter((path) => chosen(path) && path.length <= NAME_CHARS_MAX);
  const long = readable.filter((path) => chosen(path) && path.length > NAME_CHARS_MAX);
  if (files.length === 0) {
    const what = globs.length === 0 ? "no file that can be read" : "no file that --files matches";
    throw new SwornError(
      "INPUT_INVALID",
      `${subject.range} has ${what}; there is nothing to give out`,
    );
  }
  return {
    about: subject.range,
    head: subject.head,
    files,
    gaps: [
      ...gaps.filter(({ file }) => chosen(file)),
      ...long.map((file) => ({ file, why: "its name is too long for a contract" })),
    ],
  };
}

function wantedFor(
  { name, format }: Workflow,
  globs: readonly string[],
  range: string | undefined,
): Wanted | undefined {
  if (range !== undefined) return { kind: "change", range };
  if (name === "audit") return { kind: "tree" };
  if (format === "report") return { kind: "change" };
  return globs.length === 0 ? undefined : { kind: "tree" };
}

/** Globs of the person who makes the contract; without any, everything is chosen. */
function chooser(paths: readonly string[], globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => true;
  const everything = { name: "--files", scope: globs, budget: Number.MAX_SAFE_INTEGER };
  const chosen = new Set(assignFiles(paths, [everything]).given[0]?.files);
  return (path) => chosen.has(path);
}

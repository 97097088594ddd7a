import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { SwornError } from "../base/index.ts";
import { type Git, gitFailed, plainWords } from "./git.ts";
import type { ObjectFormat } from "./object-folder.ts";

/** What git says about a repository before anything of it is read. */
export interface FoundRepository {
  readonly root: string;
  readonly objects: string;
  readonly isBare: boolean;
  readonly isShallow: boolean;
  readonly format: ObjectFormat;
}

/** @throws SwornError `NOT_FOUND` when the folder is in none, `INPUT_INVALID` when git or we refuse to read it. */
export async function findRepository(folder: string, git: Git): Promise<FoundRepository> {
  const facts = ["--is-bare-repository", "--is-shallow-repository", "--show-object-format"];
  const places = ["--path-format=absolute", "--git-path", "objects", "--show-toplevel"];
  const { code, out, complaint } = await git.ask(["rev-parse", ...facts, ...places]);
  const [bare, shallow, format, ...paths] = out.toString("utf8").split("\n");
  // The last question has no answer where there is no work tree; the others always have.
  if (code !== 0 && paths.length === 0) throw notOpened(folder, complaint);
  if (format !== "sha1" && format !== "sha256") {
    const what = `${folder} names its objects by ${format}, expected sha1 or sha256`;
    throw new SwornError("INPUT_INVALID", what);
  }
  const isBare = bare === "true";
  // A name with a line break in it cannot be told from two: such places are asked for one by one.
  const [objectsPath = "", top = ""] = code === 0 && paths.length === 3 ? paths : [];
  const objects = resolve(objectsPath || (await pathFrom(git, ["--git-path", "objects"])));
  const root = await rootOf(folder, git, isBare, top);
  return { root, objects, isBare, isShallow: shallow === "true", format };
}

/** Inside `.git` there is no work tree, and in a bare repository never; reading needs none. */
async function rootOf(
  folder: string,
  git: Git,
  isBare: boolean,
  answered: string,
): Promise<string> {
  const asked = ["rev-parse", "--show-toplevel"];
  const top = isBare ? undefined : answered || (await git.line(asked));
  if (top === undefined) return pathFrom(git, ["--git-dir"]);
  // With core.worktree a repository can call any folder its own, such as the user's home.
  if (relative(top, realpathSync(folder)).split("/")[0] === "..") {
    const what = `the repository of ${folder} says that its files are in ${top}, which is elsewhere`;
    throw new SwornError("INPUT_INVALID", `${what}; remove core.worktree from its configuration`);
  }
  return top;
}

async function pathFrom(git: Git, question: readonly string[]): Promise<string> {
  const args = ["rev-parse", "--path-format=absolute", ...question];
  const path = await git.line(args);
  if (path === undefined) throw gitFailed(args, "");
  return resolve(path);
}

function notOpened(folder: string, complaint: string): SwornError {
  if (/not a git repository/.test(complaint)) {
    return new SwornError("NOT_FOUND", `${folder} is not in a git repository`);
  }
  if (/dubious ownership|unsafe repository|safe\.directory/.test(complaint)) {
    const why = "it belongs to another user (safe.directory)";
    const next = `if you trust it: git config --global --add safe.directory ${resolve(folder)}`;
    return new SwornError(
      "INPUT_INVALID",
      `git refuses to read ${folder}, because ${why}; ${next}`,
    );
  }
  return new SwornError("INPUT_INVALID", `git cannot open ${folder}: ${plainWords(complaint)}`);
}

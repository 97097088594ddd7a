import { lstatSync, realpathSync } from "node:fs";
import { basename, isAbsolute, join, relative } from "node:path";
import { messageOf, SwornError } from "../../base/index.ts";
import { type Environment, type HooksFolder, Repository } from "../../repo/index.ts";
import { addCommitHook, commitHookIn, dropCommitHook } from "./git-hook.ts";
import { type AgentHook, type HookKind, SETTINGS_FILES } from "./hook-lines.ts";
import { readSettings, removeSettings, writeSettings } from "./settings-file.ts";
import { stopHookIn, withoutStopHook, withStopHook } from "./stop-hook.ts";

/** Which hook, and whose: the project's, or the user's for all projects. */
export interface HookRequest {
  readonly kind: HookKind;
  readonly isUser: boolean;
  /** A folder in the project. */
  readonly folder: string;
  readonly home: string;
  readonly env: Environment;
}

/** One place that a hook can be in. */
export interface HookPlace {
  readonly kind: HookKind;
  readonly scope: "project" | "user";
  readonly path: string;
  /** `other` stands for a hook of somebody else's, `unreadable` for what `why` says. */
  readonly state: "current" | "older" | "other" | "none" | "unreadable";
  readonly why?: string;
}

export interface InstalledHook {
  readonly path: string;
  readonly change: "added" | "chained" | "renewed" | "there";
}

/**
 * Puts a hook in place, once, and keeps everything else that is there.
 *
 * @throws SwornError when what is there cannot be kept, or is no project.
 */
export async function installHook(request: HookRequest): Promise<InstalledHook> {
  const { kind } = request;
  if (kind === "git") {
    const folder = await gitFolder(request);
    return { path: join(folder, "commit-msg"), change: addCommitHook(folder) };
  }
  const base = await baseOf(request);
  const name = SETTINGS_FILES[kind];
  const settings = readSettings(base, name);
  const found = stopHookIn(settings, kind);
  if (found !== "current") writeSettings(base, name, withStopHook(settings, kind));
  const change = found === "current" ? "there" : found === "older" ? "renewed" : "added";
  return { path: join(base, name), change };
}

/** Takes a hook away and puts back what was there before. Says whether there was one. */
export async function removeHook(request: HookRequest): Promise<{ path: string; was: boolean }> {
  const { kind } = request;
  if (kind === "git") {
    const folder = await gitFolder(request);
    return { path: join(folder, "commit-msg"), was: dropCommitHook(folder) };
  }
  const base = await baseOf(request);
  const name = SETTINGS_FILES[kind];
  const settings = readSettings(base, name);
  const was = stopHookIn(settings, kind) !== "none";
  const left = withoutStopHook(settings, kind);
  // Without anything else in it the file is one that we made, and git would show it as new.
  if (was && Object.keys(left).length === 0) removeSettings(base, name);
  else if (was) writeSettings(base, name, left);
  return { path: join(base, name), was };
}

/** Every place that a hook can be in, and what is there. What cannot be read is said, not thrown. */
export async function listHooks(
  request: Omit<HookRequest, "kind" | "isUser">,
): Promise<HookPlace[]> {
  const repository = await Repository.open(request.folder, request);
  try {
    const { path } = await repository.hooksFolder();
    const agents = (["claude", "codex"] as const).flatMap((kind) => [
      agentPlace(kind, "project", repository.root),
      agentPlace(kind, "user", request.home),
    ]);
    const git = join(path, "commit-msg");
    return [...agents, { kind: "git", scope: "project", path: git, state: commitHookIn(path) }];
  } finally {
    repository.close();
  }
}

function agentPlace(kind: AgentHook, scope: HookPlace["scope"], base: string): HookPlace {
  const place = { kind, scope, path: join(base, SETTINGS_FILES[kind]) };
  try {
    return { ...place, state: stopHookIn(readSettings(base, SETTINGS_FILES[kind]), kind) };
  } catch (error) {
    return { ...place, state: "unreadable", why: messageOf(error) };
  }
}

async function baseOf({ isUser, home, folder, env }: HookRequest): Promise<string> {
  if (isUser) return home;
  const repository = await Repository.open(folder, { env });
  repository.close();
  return repository.root;
}

async function gitFolder({ folder, env, isUser }: HookRequest): Promise<string> {
  const repository = await Repository.open(folder, { env });
  try {
    const hooks = await repository.hooksFolder();
    assertMeant(hooks, repository.root, isUser);
    return hooks.path;
  } finally {
    repository.close();
  }
}

/** A folder that all repositories of a user share is changed only when that is what was asked for. */
function assertMeant({ path, by }: HooksFolder, root: string, isUser: boolean): void {
  if (by === "user" && !isUser) {
    const what = `git's hooks of all your repositories are in ${path} (core.hooksPath)`;
    throw new SwornError("INPUT_INVALID", `${what}; say --user if that is where it should go`);
  }
  if (by !== "user" && isUser) {
    const what = "git has no hooks for all repositories here (core.hooksPath is not set for you)";
    throw new SwornError("INPUT_INVALID", `${what}; leave --user out`);
  }
  const real = realOf(path);
  const way = relative(realpathSync(root), real);
  const isOutside = way.split("/")[0] === ".." || isAbsolute(way);
  // A folder of the tree's own could be a link to one of somebody else's.
  if (by === "repository" ? isOutside : by === "git" && basename(real) !== "hooks") {
    const what = `this repository's hooks are in ${real}, which is elsewhere (core.hooksPath or a link)`;
    throw new SwornError("PATH_ESCAPES", `${what}; nothing was changed`);
  }
}

/** The folder behind links; the name itself where there is none yet. */
function realOf(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path);
}

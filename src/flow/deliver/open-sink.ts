import { realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { SwornError } from "../../base/index.ts";
import { sinkPlace } from "../../deliver/packet/index.ts";
import type { BranchSink, ListedSink } from "../../schema/config.ts";
import type { Place } from "../place.ts";
import { CONFIG_NAME, readConfig } from "../workflow-config.ts";
import { isLocalFolder, type OpenSink } from "./deliver-facts.ts";

const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** The sink that the operator listed under a name; undefined when there is none. */
export function openSink(place: Place, name: string, home: string): OpenSink | undefined {
  const root = dirname(place.store);
  const { deliver = {} } = readConfig(root);
  // Own keys alone: a sink may be asked for as `constructor`.
  const listed = Object.hasOwn(deliver, name) ? deliver[name] : undefined;
  if (listed === undefined) return undefined;
  if (listed.kind !== "folder" && listed.kind !== "https") {
    const message = `${name} takes works, which are commits; a run's output goes to a folder or an address`;
    throw new SwornError("INPUT_INVALID", message);
  }
  const folder =
    listed.kind === "folder" ? folderOf(place, name, resolve(root, listed.path)) : undefined;
  return {
    name,
    listed,
    place: sinkPlace(listed, folder ?? ""),
    folder,
    isLocal: folder !== undefined && isLocalFolder(folder, home, place.state),
  };
}

/** A folder is never made: a misspelt path would be a new place. */
function folderOf(place: Place, name: string, path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const message = `${CONFIG_NAME}: the folder of ${name} is not there: ${path}; make it, or list another`;
    throw new SwornError("NOT_FOUND", message);
  }
  const real = realpathSync(path);
  // Keys and records are no place for what a task made.
  for (const own of [place.state, place.store].filter((one) =>
    statSync(one, { throwIfNoEntry: false }),
  )) {
    const below = relative(realpathSync(own), real);
    if (below === "" || !below.startsWith("..")) {
      throw new SwornError("INPUT_INVALID", `${CONFIG_NAME}: ${name} lies in ${own}; list another`);
    }
  }
  return real;
}

/**
 * The token for a sink, from the variable that its list names. It is held in memory, and given to
 * nothing but the request.
 *
 * @throws SwornError `INPUT_INVALID` when the variable is not set or holds no token.
 */
export function tokenOf(
  listed: ListedSink | BranchSink,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!("token_env" in listed) || listed.token_env === undefined) return undefined;
  const token = env[listed.token_env] ?? "";
  if (TOKEN.test(token)) return token;
  const found = token === "" ? "is not set" : "holds something that no header can carry";
  const what = `the variable ${listed.token_env} ${found}`;
  const next = `export the token in it, or name another one as token_env in ${CONFIG_NAME}`;
  throw new SwornError(
    "INPUT_INVALID",
    `${what}: a place of the kind ${listed.kind} needs it; ${next}`,
  );
}

/** The same for what is only rehearsed, which shows it to nobody: where it is not set, there is none. */
export function tokenIfSet(
  listed: ListedSink | BranchSink,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isSet = "token_env" in listed && (env[listed.token_env ?? ""] ?? "") !== "";
  return isSet ? tokenOf(listed, env) : undefined;
}

import { isAbsolute, join, resolve } from "node:path";
import { readPlainFile, SwornError } from "../base/index.ts";
import { findStore, Place } from "../flow/place.ts";
import { threadsHere } from "./arguments.ts";
import type { Io } from "./io.ts";

const PASSPHRASE_BYTES_MAX = 4_096;
/** The variable with the token that `sworn ci --post` comments with. */
export const CI_TOKEN = "SWORN_CI_TOKEN";

/**
 * Where this project's records and this user's keys are; `here` looks for no project above this
 * folder. The environment is read here and nowhere else.
 */
export function openPlace(io: Io, here?: "here"): Place {
  const { env } = io;
  return new Place({
    store: here ? join(io.cwd, ".sworn") : findStore(io.cwd, io.home),
    state: stateFolder(io),
    threads: threadsHere(),
    passphrase: () =>
      env["SWORN_PASSPHRASE_FILE"]
        ? readPassphrase(resolve(io.cwd, env["SWORN_PASSPHRASE_FILE"]))
        : undefined,
  });
}

/** Where this user's keys and heads are. */
export function stateFolder({ env, home, cwd }: Io): string {
  const own = env["SWORN_STATE_DIR"];
  if (own && isAbsolute(own)) return own;
  // It would be another folder in each folder, with keys in somebody's work tree.
  if (own) {
    const what = `SWORN_STATE_DIR is ${JSON.stringify(own)}: expected a whole path`;
    throw new SwornError("INPUT_INVALID", `${what}, such as ${resolve(cwd, own)}`);
  }
  // A relative XDG path is to be ignored, says its specification.
  const xdg = env["XDG_STATE_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".local", "state"), "sworn");
}

/** The passphrase in a file, without the newline that ends it. */
export function readPassphrase(path: string): string {
  try {
    const passphrase = readPlainFile(path, PASSPHRASE_BYTES_MAX)
      .toString()
      .replace(/\r?\n$/, "");
    if (passphrase !== "") return passphrase;
  } catch (cause) {
    throw new SwornError("NOT_FOUND", `the passphrase file ${path} cannot be read`, { cause });
  }
  throw new SwornError("INPUT_INVALID", `the passphrase file ${path} is empty`);
}

/** The index that git is about to commit: while it does, that can be another file than usual. */
export function commitIndex({ env, cwd }: Io): string | undefined {
  const index = env["GIT_INDEX_FILE"];
  return index ? resolve(cwd, index) : undefined;
}

/** How this user's programs reach package sources, in the spellings that apt understands. */
export function packageProxy({ env }: Io): Record<string, string> {
  const names = ["http_proxy", "https_proxy", "no_proxy"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name] ?? env[name.toUpperCase()];
      return value ? [[name, value]] : [];
    }),
  );
}

/** What a workflow of a forge tells the programs that it starts, and the token that it was given for us. */
export function workflowSurroundings({ env, cwd }: Io) {
  const event = env["GITHUB_EVENT_PATH"];
  return {
    event: event ? resolve(cwd, event) : undefined,
    api: env["GITHUB_API_URL"] || undefined,
    repository: env["GITHUB_REPOSITORY"] || undefined,
    token: env[CI_TOKEN] || undefined,
    /** The rest, for everything else that is started: the token is for the forge alone. */
    env: Object.fromEntries(Object.entries(env).filter(([name]) => name !== CI_TOKEN)),
  };
}

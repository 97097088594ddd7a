import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile, SwornError } from "../../base/index.ts";

const SOURCE_BYTES_MAX = 1 << 20;

/** Which distribution this machine runs, and where it gets its packages. */
export interface AptSources {
  /** The release, as `bookworm`. */
  readonly suite: string;
  /** Lines and stanzas in the two forms that apt reads, ready to be written to files. */
  readonly lines: readonly string[];
  readonly stanzas: readonly string[];
}

/**
 * Reads the machine's own package sources. Only those of its own release count: what somebody else
 * publishes for it is no part of an environment.
 *
 * @throws SwornError `NOT_FOUND` when the machine is none that apt keeps.
 */
export function readAptSources(etc = "/etc"): AptSources {
  const release = readText(join(etc, "os-release"));
  const suite = /^VERSION_CODENAME="?([a-z][a-z0-9-]{0,63})"?$/m.exec(release)?.[1];
  if (suite === undefined) throw noSources(`${etc}/os-release names no release`);
  const folder = join(etc, "apt/sources.list.d");
  const named = (ending: string) =>
    namesIn(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(folder, name));
  const isOwn = ownSuites(suite);
  const lists = [join(etc, "apt/sources.list"), ...named(".list")].map(readText);
  const lines = lists.flatMap((text) => text.split("\n")).filter((line) => isOwnLine(line, isOwn));
  const stanzas = named(".sources")
    .flatMap((path) => readText(path).split(/\n[ \t]*\n/))
    .map(withoutComments)
    .filter((stanza) => isOwnStanza(stanza, isOwn));
  if (lines.length + stanzas.length === 0) throw noSources(`no source of ${suite} is configured`);
  return { suite, lines: lines.map((line) => line.trim()), stanzas };
}

function ownSuites(suite: string): (name: string) => boolean {
  const own = new Set([suite, `${suite}-updates`, `${suite}-security`, `${suite}/updates`]);
  return (name) => own.has(name);
}

/** `deb [options] address suite components…` */
function isOwnLine(line: string, isOwn: (suite: string) => boolean): boolean {
  const words = line
    .replace(/\[[^\]]*\]/, " ")
    .trim()
    .split(/\s+/);
  return words[0] === "deb" && words.length > 3 && isOwn(words[2] ?? "");
}

function withoutComments(stanza: string): string {
  return stanza
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .join("\n");
}

/** All of its suites have to be the release's own: one stanza cannot be taken in part. */
function isOwnStanza(stanza: string, isOwn: (suite: string) => boolean): boolean {
  const field = (name: string): string[] => {
    const line = stanza.split("\n").find((one) => one.toLowerCase().startsWith(`${name}:`));
    return (line ?? "")
      .slice(name.length + 1)
      .trim()
      .split(/\s+/);
  };
  const isOff = field("enabled")[0] === "no";
  return !isOff && field("types").includes("deb") && field("suites").every(isOwn);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // A machine with one list has no folder of them.
    return [];
  }
}

function readText(path: string): string {
  try {
    return readPlainFile(path, SOURCE_BYTES_MAX).toString();
  } catch {
    // Each of the places may be missing; that all of them are is told by the caller.
    return "";
  }
}

function noSources(why: string): SwornError {
  const next = "environments are built from the machine's own Debian packages";
  return new SwornError("NOT_FOUND", `${why}; ${next}`);
}

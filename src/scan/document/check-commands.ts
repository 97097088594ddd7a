import { posix } from "node:path";
import type { Drift, PageInTree } from "./check-links.ts";
import type { Manifests } from "./manifests.ts";
import { type Command, commandsOf } from "./shell-commands.ts";
import { resolveIn } from "./tree-paths.ts";

/** Programs whose first argument is a file to run. */
const RUNNERS = /^(?:node|python3?|bash|sh|zsh|ruby|perl|php|deno|bun|tsx|ts-node|source|\.)$/;
const SCRIPT = /\.(?:[cm]?[jt]s|py|sh|bash|rb|pl|php)$/;

interface Reading extends PageInTree {
  readonly manifests: Manifests;
}

type Complaint = Pick<Drift, "title" | "issue" | "category">;

/** Commands on a page that cannot work in this tree. */
export function checkCommands(reading: Reading): Drift[] {
  const { page, path, paths } = reading;
  const isReadme = /^README(?:\.|$)/i.test(posix.basename(path));
  return page.fences.flatMap((fence) =>
    commandsOf(fence, "", paths).flatMap((command) => {
      const complaint = complain(reading, command);
      if (complaint === undefined) return [];
      return [
        {
          ...complaint,
          line: command.line,
          priority: isReadme ? ("P2" as const) : ("P3" as const),
        },
      ];
    }),
  );
}

function complain(reading: Reading, command: Command): Complaint | undefined {
  if (command.words.some((word) => /[$<>*{}]|\.\.\./.test(word))) return undefined;
  const [program = ""] = command.words;
  if (/^(?:npm|pnpm|yarn)$/.test(program)) return checkScript(reading, command);
  if (program === "make") return checkTarget(reading, command);
  if (program === "npx") return checkBin(reading, command);
  return checkFile(reading, command);
}

/** Folders whose manifest the writer may have meant: where the block is, where the page is, the root. */
function nearFolders(reading: Reading, command: Command): string[] {
  const folders = new Set([command.folder]);
  for (let at = posix.dirname(reading.path); at !== "."; at = posix.dirname(at)) folders.add(at);
  return [...folders.add("")];
}

function checkScript(reading: Reading, command: Command): Complaint | undefined {
  const script = scriptOf(command.words);
  const near = nearFolders(reading, command).flatMap(
    (at) => reading.manifests.packages.get(at) ?? [],
  );
  if (script === undefined || near.length === 0) return undefined;
  if ([...reading.manifests.packages.values()].some(({ scripts }) => scripts.has(script)))
    return undefined;
  // `npm start` without a script runs server.js; a page may also tell the reader to add the script.
  if (script === "start" && reading.paths.has("server.js")) return undefined;
  if (
    reading.page.fences.some(({ lines }) => lines.some(({ text }) => text.includes(`"${script}":`)))
  )
    return undefined;
  return {
    category: "missing-script",
    title: `The script ${script} does not exist`,
    issue: `\`${command.words.join(" ")}\` fails: no package.json of this tree has a script of that name.`,
  };
}

function scriptOf([, verb = "", ...rest]: readonly string[]): string | undefined {
  if (
    rest.some((word) => /^(?:--if-present|-w|--works\w{1,8}|--prefix|-C|--filter|--cwd)/.test(word))
  )
    return undefined;
  if (/^(?:test|start|stop|restart)$/.test(verb)) return verb === "restart" ? undefined : verb;
  if (!/^run(?:-script)?$/.test(verb)) return undefined;
  const script = rest.find((word) => !word.startsWith("-"));
  return script !== undefined && /^[\w:.-]{1,100}$/.test(script) ? script : undefined;
}

function checkTarget(reading: Reading, command: Command): Complaint | undefined {
  const words = command.words.slice(1);
  if (words.some((word) => /^-[CfI]|^--(?:directory|file)/.test(word))) return undefined;
  const targets = words.filter((word) => !/^-|=/.test(word) && !/^\d{1,3}$/.test(word));
  const { makefiles } = reading.manifests;
  const near = nearFolders(reading, command).filter((at) => makefiles.has(at));
  if (near.length === 0) return undefined;
  const known = near.map((at) => makefiles.get(at));
  const missing = targets.find(
    (target) =>
      known.every((one) => one !== undefined && !one.has(target)) &&
      !reading.paths.hasEnding(target),
  );
  if (missing === undefined || !/^[\w.-]{1,100}$/.test(missing)) return undefined;
  return {
    category: "missing-target",
    title: `The make target ${missing} does not exist`,
    issue: `\`${command.words.join(" ")}\` fails: the makefile has no target of that name.`,
  };
}

/** `npx` with this package's own name runs its only command, or the one of that name. */
function checkBin(reading: Reading, command: Command): Complaint | undefined {
  const name = command.words
    .slice(1)
    .find((word) => !word.startsWith("-"))
    ?.replace(/(?<=.)@[\w.^~-]{1,40}$/, "");
  const own = reading.manifests.packages.get("");
  if (own === undefined || name === undefined || name !== own.name || own.isPrivate)
    return undefined;
  const short = name.replace(/^@[^/]{1,200}\//, "");
  if (own.bins.size === 1 || own.bins.has(short)) return undefined;
  return {
    category: "missing-command",
    title: `The package has no command ${short}`,
    issue: `\`${command.words.join(" ")}\` fails: package.json names ${own.bins.size === 0 ? "no command" : `only ${[...own.bins].join(", ")}`} in "bin".`,
  };
}

function checkFile(reading: Reading, command: Command): Complaint | undefined {
  const [program = "", ...rest] = command.words;
  const argument = RUNNERS.test(program) ? rest.find((word) => !word.startsWith("-")) : program;
  const isRun = RUNNERS.test(program) || program.startsWith("./");
  if (
    !isRun ||
    argument === undefined ||
    rest.some((word) => /^-[cemp]$|^--(?:eval|print)/.test(word))
  )
    return undefined;
  const name = argument.replace(/^\.\//, "");
  const isPath =
    /^[\w.@+/-]{1,300}$/.test(name) &&
    !name.startsWith("/") &&
    (name.includes("/") || SCRIPT.test(name));
  if (!isPath || reading.paths.isElsewhere(name) || reading.paths.hasEnding(name)) return undefined;
  return isMissing(reading, command, name)
    ? {
        category: "missing-file",
        title: `${name} is run and does not exist`,
        issue: `\`${command.words.join(" ")}\` fails: the tree has no such file.`,
      }
    : undefined;
}

/** Sure only where the file's folder is there; a bare script name is sure only next to others. */
function isMissing(reading: Reading, command: Command, name: string): boolean {
  const { paths } = reading;
  const places = nearFolders(reading, command).map((folder) => resolveIn(folder, name));
  if (
    places.some(
      (place) =>
        place === undefined ||
        ["", ".js", ".mjs", ".ts", "/index.js"].some((ending) => paths.has(`${place}${ending}`)),
    )
  )
    return false;
  return (
    name.includes("/") &&
    places.some((place) => place !== undefined && paths.hasFolder(posix.dirname(place)))
  );
}

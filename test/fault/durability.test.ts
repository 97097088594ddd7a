import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { SWORN } from "../fake/child.ts";
import { opening, temporaryFolder } from "../fake/sandbox.ts";
import { contentOf, message, projectIn, settledProject } from "./project.ts";
import { appendUnderStrace, underStrace } from "./strace.ts";

const WATCHED = "mkdir,openat,rename,link,unlink,write,writev,pwrite64,ftruncate,fsync,fdatasync";

/** What a power cut would take away: names whose folder, and bytes whose file, was not synced yet. */
class PowerCut {
  readonly #known: ReadonlySet<string>;
  readonly #names = new Set<string>();
  readonly #bytes = new Set<string>();
  readonly #everSynced = new Set<string>();

  constructor(known: readonly string[]) {
    this.#known = new Set(known);
  }

  see(call: string): void {
    if (/ = -1 /.test(call)) return;
    const name = call.slice(0, call.indexOf("("));
    const paths = [...call.matchAll(/"(\/[^"]*)"/g)].map((match) => match[1] ?? "");
    const file = /^\w+\(\d+<([^>]*)>/.exec(call)?.[1] ?? "";
    if (name === "mkdir") this.#made(paths[0]);
    else if (name === "openat" && call.includes("O_CREAT")) this.#made(paths[0]);
    else if (name === "rename" || name === "link") this.#renamed(paths[0], paths[1]);
    else if (name === "unlink") this.#names.delete(paths[0] ?? "");
    else if (name.endsWith("sync")) this.#synced(file);
    else if (name !== "openat") this.#bytes.add(file);
  }

  /** The files and folders below these folders that are not safe yet, with the reason. */
  lost(folder: string, isNeeded: (path: string) => boolean): string[] {
    const files = [...this.#names, ...this.#bytes].filter(
      (path) => path.startsWith(folder) && isNeeded(path),
    );
    return [...new Set(files)]
      .flatMap((path) => [
        ...(this.#names.has(path) ? [`the name ${path.slice(folder.length)}`] : []),
        ...(this.#bytes.has(path) && !this.isLagging(path)
          ? [`the bytes of ${path.slice(folder.length)}`]
          : []),
      ])
      .sort();
  }

  /** A head may lag behind, but only once there is one on disk at all. */
  isLagging(path: string): boolean {
    return path.endsWith(".head") && (this.#everSynced.has(path) || this.#known.has(path));
  }

  #made(path = ""): void {
    if (!this.#known.has(path)) this.#names.add(path);
  }

  #renamed(from = "", to = ""): void {
    this.#names.delete(from);
    this.#names.add(to);
    if (this.#bytes.delete(from)) this.#bytes.add(to);
  }

  #synced(path: string): void {
    this.#bytes.delete(path);
    this.#everSynced.add(path);
    for (const name of this.#names) if (dirname(name) === path) this.#names.delete(name);
  }
}

/** Shared memory and half-stored artifacts may go; an entry rests on all the rest. */
const isNeeded = (path: string): boolean => !/-shm$|\/incoming(\/|$)|\.tmp$|strace\.log/.test(path);

function lostAt(
  acknowledgement: RegExp,
  calls: readonly string[],
  folder: string,
  known: readonly string[],
): string[] {
  const cut = new PowerCut(known);
  const at = calls.findIndex((call) => acknowledgement.test(call));
  expect(at).toBeGreaterThan(0);
  for (const call of calls.slice(0, at)) cut.see(call);
  return cut.lost(folder, isNeeded);
}

test("an acknowledged entry, its first artifact and their names survive a power cut", async () => {
  const project = await settledProject([opening()]);
  const known = Object.keys(contentOf(project.folder));
  const { calls } = await appendUnderStrace(project, WATCHED);
  expect(lostAt(/^write\(1<.*"ack /, calls, project.folder, known)).toEqual([]);
});

test("an acknowledged entry and an artifact beside others survive a power cut", async () => {
  const project = await settledProject([opening(), message("one", "an artifact")]);
  const known = Object.keys(contentOf(project.folder));
  const { calls } = await appendUnderStrace(project, WATCHED);
  expect(lostAt(/^write\(1<.*"ack /, calls, project.folder, known)).toEqual([]);
});

test("the first acknowledged entry of a new project survives a power cut, its keys and head too", async () => {
  const folder = temporaryFolder();
  const project = projectIn(folder, "");
  mkdirSync(project.project);
  writeFileSync(join(project.project, "script.jsonl"), `${JSON.stringify(opening())}\n`);
  const known = Object.keys(contentOf(folder));
  const command = [process.execPath, SWORN, "trace", "record", "script.jsonl"];
  const { calls, err } = await underStrace(project, WATCHED, undefined, command);
  expect(err).toContain("recorded 1");
  expect(lostAt(/^writev?\(2<.*"recorded 1/, calls, folder, known)).toEqual([]);
});

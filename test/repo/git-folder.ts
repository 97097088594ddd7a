import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Repository } from "../../src/repo/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

/** A real repository in a temporary folder, made with git itself and nobody's configuration. */
export class GitFolder {
  readonly home = temporaryFolder();
  readonly path: string;
  readonly env = { PATH: process.env["PATH"], HOME: this.home };
  #clock = 1_700_000_000;

  constructor(options: readonly string[] = []) {
    this.path = join(this.home, "project");
    mkdirSync(this.path);
    this.git("init", "--quiet", "--initial-branch=main", ...options);
  }

  git(...args: string[]): string {
    return this.gitWith({}, ...args);
  }

  gitWith(more: Record<string, string>, ...args: string[]): string {
    this.#clock += 1;
    const stamp = `${this.#clock} +0000`;
    const env = {
      ...this.env,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_AUTHOR_DATE: stamp,
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
      GIT_COMMITTER_DATE: stamp,
      ...more,
    };
    const options = {
      cwd: this.path,
      env,
      encoding: "utf8",
      stdio: "pipe",
      timeout: 20_000,
    } as const;
    return execFileSync("git", args, options).trim();
  }

  write(name: string | Buffer, content: string | Buffer): void {
    const path = Buffer.concat([Buffer.from(`${this.path}/`), Buffer.from(name)]);
    mkdirSync(dirname(path.toString("utf8")), { recursive: true });
    writeFileSync(path, content);
  }

  /** Whoever reads it at this moment sees the old content or the new one, as an editor's users do. */
  exchange(name: string, content: string): void {
    const path = join(this.path, name);
    const beside = join(this.home, `${randomBytes(6).toString("hex")}.new`);
    writeFileSync(beside, content);
    renameSync(beside, path);
  }

  /** Commits everything that lies in the folder. */
  commit(files: Record<string, string | Buffer> = {}): string {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", "change");
    return this.git("rev-parse", "HEAD");
  }

  /** Opened until the test ends. */
  async open(signal?: AbortSignal): Promise<Repository> {
    const repository = await Repository.open(this.path, { env: this.env, signal });
    onTestFinished(() => repository.close());
    return repository;
  }
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Lines from one number to another. */
export function lines(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join("");
}

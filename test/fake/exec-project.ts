import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sworn } from "./child.ts";
import { temporaryFolder } from "./sandbox.ts";

/** A repository with one commit, in which the built command runs tasks; gone after the test. */
export class ExecProject {
  readonly own = temporaryFolder();
  readonly project = join(this.own, "project");
  readonly state = join(this.own, "state");

  constructor() {
    mkdirSync(this.project);
    this.#git("init", "--quiet");
    this.commit({ "hello.txt": "hello\n" });
  }

  commit(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.project, name), text);
    this.#git("add", "-A");
    this.#git("commit", "--quiet", "--message", "change");
  }

  /** Puts a file there that nobody commits. */
  write(name: string, text: string): void {
    writeFileSync(join(this.project, name), text);
  }

  call(args: readonly string[]) {
    return this.callIn(".", args);
  }

  /** Runs the command in a folder of the project. */
  async callIn(folder: string, args: readonly string[]) {
    const cwd = join(this.project, folder);
    mkdirSync(cwd, { recursive: true });
    const { code, out, err } = await sworn(this, args, { cwd });
    return { code, stdout: out, stderr: err };
  }

  run(...args: string[]) {
    return this.call(["exec", "--report", join(this.own, "report.json"), ...args]);
  }

  /** What the last run left as its report. */
  report() {
    return JSON.parse(readFileSync(join(this.own, "report.json"), "utf8"));
  }

  #git(...args: string[]): void {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    execFileSync("git", [...who, ...args], { cwd: this.project });
  }
}

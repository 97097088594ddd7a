import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { temporaryFolder } from "../fake/sandbox.ts";
import { ended } from "./built.ts";

const BIN = resolve(import.meta.dirname, "../../dist/cli/bin.js");

export const SAFE = `const { execFile } = require("child_process");
const app = require("express")();
app.get("/", (req, res) => res.send("ok"));
module.exports = app;
`;
export const INJECTION = `  require("child_process").exec("ping -c 1 " + req.query.host, () => res.end());`;
export const CHANGED = SAFE.replace(
  "module.exports",
  `app.get("/ping", (req, res) => {\n${INJECTION}\n});\nmodule.exports`,
);
/** A repository with a change on a branch, and what a person at its root sees of a command. */
export class Project {
  readonly folder = temporaryFolder();
  readonly root = join(this.folder, "repo");

  constructor() {
    mkdirSync(this.root);
    this.git("init", "-q", "-b", "main");
    this.commit({ "app.js": SAFE });
    this.git("checkout", "-q", "-b", "feature");
    this.commit({ "app.js": CHANGED });
  }

  git(...args: string[]): string {
    const config = [
      "-c",
      "user.name=A",
      "-c",
      "user.email=a@example.org",
      "-c",
      "core.autocrlf=false",
    ];
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", [...config, ...args], { cwd: this.root, env, encoding: "utf8" });
  }

  commit(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", "a change");
  }

  report(text: string): string {
    const path = join(this.folder, "report.md");
    writeFileSync(path, text);
    return path;
  }

  /** Starts the built program at the root of the repository. */
  start(args: string[], cwd = this.root, input = "") {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd,
      env: { ...process.env, SWORN_STATE_DIR: join(this.folder, "state"), HOME: this.folder },
    });
    child.stdin.end(input);
    return child;
  }

  /** The same in a terminal of its own, 120 columns wide, whose output is all in one. */
  startAtTerminal(args: string[]) {
    const words = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");
    const command = `stty cols 120; exec ${words}`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: this.root,
      env: { ...process.env, SWORN_STATE_DIR: join(this.folder, "state"), HOME: this.folder },
    });
    return child;
  }

  async run(args: string[], cwd = this.root, input = "") {
    const { exit, out, err } = await ended(this.start(args, cwd, input));
    return { exit, out, err, json: () => JSON.parse(out) };
  }
}

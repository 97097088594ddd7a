import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Io } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";
import type { EventRequest } from "../../src/schema/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

/** What a command line gave: its exit code and what it wrote where. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** The one JSON document on stdout; throws when there is none, or more than one. */
  json<T = Record<string, unknown>>(): T;
}

/** A project folder in which command lines are run inside this process. */
export class Shell {
  readonly folder = temporaryFolder();
  readonly cwd = join(this.folder, "project");
  readonly env: Record<string, string> = { SWORN_STATE_DIR: join(this.folder, "state") };

  constructor() {
    mkdirSync(this.cwd);
  }

  /** A file in the project. */
  write(name: string, content: string | Buffer): string {
    writeFileSync(join(this.cwd, name), content);
    return name;
  }

  /** A script in the project, one request a line. */
  script(name: string, ...requests: EventRequest[]): string {
    return this.write(name, requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  }

  async run(...argv: string[]): Promise<Ran> {
    return this.runWith({}, ...argv);
  }

  async runWith(more: Partial<Io>, ...argv: string[]): Promise<Ran> {
    let [out, err] = ["", ""];
    const io: Io = {
      out: (text) => {
        out += typeof text === "string" ? text : Buffer.from(text).toString();
      },
      err: (text) => {
        err += text;
      },
      input: async function* () {},
      env: this.env,
      cwd: this.cwd,
      home: this.folder,
      isTerminal: false,
      signal: new AbortController().signal,
      ...more,
    };
    const exit = await main(argv, io);
    return { exit, out, err, json: <T>() => onlyDocument<T>(out) };
  }
}

function onlyDocument<T>(out: string): T {
  const lines = out.split("\n").filter((line) => line !== "");
  if (lines.length !== 1 || !out.endsWith("\n"))
    throw new Error(`expected one line of JSON on stdout, found ${lines.length}: ${out}`);
  return JSON.parse(lines[0] ?? "") as T;
}

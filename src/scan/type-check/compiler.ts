import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SwornError } from "../../base/index.ts";

const RUN_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 16 * (1 << 20);
/** From this version on the compiler is a program of its own. */
const NATIVE_MAJOR = 7;

/** How the compiler is started. */
export interface Compiler {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The compiler of the `typescript` package that is installed beside this code, or undefined. It is
 * looked for upwards from this file and nowhere else: the tree under review never chooses what runs.
 */
export async function findCompiler(from: string): Promise<Compiler | undefined> {
  let folder = dirname(fileURLToPath(from));
  while (!existsSync(join(folder, "node_modules/typescript/package.json"))) {
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
  const home = join(folder, "node_modules/typescript");
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    version: string;
  };
  if (Number.parseInt(version, 10) < NATIVE_MAJOR) {
    return { command: process.execPath, args: [join(home, "lib/tsc.js")] };
  }
  const locator: { default: () => string } = await import(
    pathToFileURL(join(home, "lib/getExePath.js")).href
  );
  return { command: locator.default(), args: [] };
}

/**
 * Runs the compiler in a folder and gives what it printed.
 *
 * @throws SwornError when it cannot be started, takes too long, says too much or breaks down; a
 * compiler that broke has found nothing, not nothing wrong.
 */
export function runCompiler(
  { command, args }: Compiler,
  folder: string,
  stop: AbortSignal,
): Promise<string> {
  const ours = ["--project", "tsconfig.json", "--noEmit", "--pretty", "false", "--listFiles"];
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill("SIGKILL");
      reject(new SwornError("LIMIT_EXCEEDED", `the compiler was stopped: ${why}`));
    };
    const child = spawn(command, [...args, ...ours], {
      cwd: folder,
      env: {},
      stdio: ["ignore", "pipe", "ignore"],
    });
    const timer = setTimeout(() => fail(`it took over ${RUN_MS_MAX / 1_000} s`), RUN_MS_MAX);
    const onStop = () => fail("the review was stopped");
    stop.addEventListener("abort", onStop, { once: true });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > OUTPUT_BYTES_MAX) fail(`it printed over ${OUTPUT_BYTES_MAX} bytes`);
      else chunks.push(chunk);
    });
    child.on("error", (cause) =>
      reject(new SwornError("NOT_FOUND", `the compiler cannot be started: ${cause.message}`)),
    );
    child.on("close", (code) => {
      clearTimeout(timer);
      stop.removeEventListener("abort", onStop);
      // One and two mean that it found errors; anything else, that it broke down.
      if (code !== null && code <= 2) resolve(Buffer.concat(chunks).toString("utf8"));
      else reject(new SwornError("STORE_UNREADABLE", `the compiler broke down with ${code}`));
    });
  });
}

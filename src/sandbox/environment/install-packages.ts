import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, SwornError } from "../../base/index.ts";
import { readAptSources } from "./apt-sources.ts";
import { SOURCE_DATE_EPOCH } from "./finish-root.ts";

const BUILD_MS_MAX = 60 * 60_000;
const SAID_CHARS_MAX = 8_000;

/** What is to be installed where. */
export interface Installation {
  /** The folder that the packages go into; it does not exist yet. */
  readonly root: string;
  /** A private folder for files on the way. */
  readonly work: string;
  readonly packages: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: string) => void) | undefined;
  /** Which proxy this machine reaches its package sources through, as environment variables. */
  readonly proxy?: Readonly<Record<string, string>> | undefined;
}

/** Fills a folder with packages. */
export type Installer = (installation: Installation) => Promise<void>;

/** Documentation is most of the files and none of the use; what says who may use it stays. */
const LEFT_OUT = [
  "path-exclude=/usr/share/doc/*",
  "path-include=/usr/share/doc/*/copyright",
  "path-exclude=/usr/share/man/*",
  "path-exclude=/usr/share/info/*",
  "path-exclude=/usr/share/locale/*",
];

/** Packages of Java link their manuals when they are set up, and fail where the folder is left out too. */
const HOOK = 'mkdir -p "$1/usr/share/man/man1"';

/**
 * Installs Debian packages with mmdebstrap, which checks the signatures of the machine's own package
 * sources. It mounts things while it works: in namespaces of its own, so that none of them is left
 * on this machine, whatever happens to it.
 *
 * @throws SwornError `SANDBOX_REFUSED` without the rights for it, `SANDBOX_FAILED` with its last words.
 */
export const installPackages: Installer = async (installation) => {
  if (process.getuid?.() !== 0) {
    const message = "an environment can be built by root alone: its files belong to many users";
    throw new SwornError("SANDBOX_REFUSED", `${message}; run it with sudo`);
  }
  const { root, packages } = installation;
  const { suite, files } = writeSources(installation.work);
  const args = [
    ..."--mount --pid --fork --kill-child --propagation private --".split(" "),
    ..."mmdebstrap --mode=root --variant=minbase --format=directory".split(" "),
    ...LEFT_OUT.map((option) => `--dpkgopt=${option}`),
    `--essential-hook=${HOOK}`,
    `--include=${packages.join(",")}`,
    suite,
    root,
    ...files,
  ];
  await run(args, installation);
};

function writeSources(work: string): { suite: string; files: string[] } {
  const { suite, lines, stanzas } = readAptSources();
  const texts: [name: string, text: string][] = [
    ["own.list", lines.join("\n")],
    ["own.sources", stanzas.join("\n\n")],
  ];
  const files = texts.filter(([, text]) => text !== "");
  for (const [name, text] of files) writeFileSync(join(work, name), `${text}\n`, { mode: 0o600 });
  return { suite, files: files.map(([name]) => join(work, name)) };
}

async function run(args: readonly string[], installation: Installation): Promise<void> {
  const { signal, onStep, proxy } = installation;
  signal?.throwIfAborted();
  const child = spawn("unshare", args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      LC_ALL: "C.UTF-8",
      TZ: "UTC",
      DEBIAN_FRONTEND: "noninteractive",
      SOURCE_DATE_EPOCH: String(SOURCE_DATE_EPOCH),
      TMPDIR: installation.work,
      ...proxy,
    },
  });
  const stop = (): void => {
    child.kill("SIGKILL");
  };
  const timer = setTimeout(stop, BUILD_MS_MAX);
  signal?.addEventListener("abort", stop);
  try {
    const { code, said } = await ended(child, onStep);
    signal?.throwIfAborted();
    if (code === 0) return;
    const message = `mmdebstrap ended with ${code ?? "a signal"}; its last words: ${said}`;
    throw new SwornError("SANDBOX_FAILED", message);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function ended(
  child: ChildProcess,
  onStep: ((step: string) => void) | undefined,
): Promise<{ code: number | null; said: string }> {
  let said = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    const text = bytes.toString();
    said = (said + text).slice(-SAID_CHARS_MAX);
    for (const [, step] of text.matchAll(/^I: (.{1,100})$/gm)) onStep?.(step ?? "");
  });
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => {
      const message = `unshare cannot be started (${messageOf(cause)}); install util-linux and mmdebstrap`;
      reject(new SwornError("SANDBOX_FAILED", message, { cause }));
    });
    child.once("close", (code) => resolve({ code, said: said.trim() }));
  });
}

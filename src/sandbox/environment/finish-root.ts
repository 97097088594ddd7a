import {
  appendFileSync,
  chmodSync,
  chownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { assert } from "../../base/index.ts";
import { WORKSPACE } from "../../schema/execution.ts";
import { settledKeystore } from "./java-keystore.ts";
import { entriesIn } from "./listing.ts";
import { TASK_USER } from "./recipe.ts";

/** The time that everything made during a build gets: the same one for every build. */
export const SOURCE_DATE_EPOCH = 1_700_000_000;

/** What differs from build to build, or tells about the machine that built; none of it is needed. */
const REMOVED = [
  ..."etc/apt/sources.list etc/apt/auth.conf etc/resolv.conf etc/hostname etc/machine-id".split(
    " ",
  ),
  ..."etc/passwd- etc/group- etc/shadow- etc/gshadow- etc/subuid- etc/subgid-".split(" "),
  ..."var/lib/dbus/machine-id var/cache/ldconfig/aux-cache".split(" "),
  ..."var/cache/debconf/config.dat-old var/cache/debconf/templates.dat-old".split(" "),
  ..."var/lib/dpkg/status-old var/lib/dpkg/diversions-old".split(" "),
  "var/lib/systemd/catalog/database",
];
const EMPTIED = [
  ..."dev run tmp proc sys root var/tmp var/log var/cache/apt var/lib/apt/lists".split(" "),
  ..."etc/apt/sources.list.d etc/apt/auth.conf.d".split(" "),
];
/** Made by Java's packages from the authorities of the system, with the time of each. */
const KEYSTORE = "etc/ssl/certs/java/cacerts";
/** What a sandbox mounts something on: a root that is read-only cannot grow it later. */
const MOUNT_POINTS = [
  ..."dev proc sys tmp run/sworn/egress".split(" "),
  ...Object.values(WORKSPACE).map((path) => path.slice(1)),
];

/** Some runtimes give what is mounted the mode of what it is mounted on. */
const WRITABLE = ["tmp", ...[WORKSPACE.data, WORKSPACE.output].map((path) => path.slice(1))];

/**
 * Turns a tree of installed packages into an environment: nothing of the builder in it, the task's
 * user, places to mount on, no device, no program that gives more rights. Repeating the build of
 * the same packages ends in the same tree.
 */
export function finishRoot(root: string, begunMs: number): void {
  assert(root.length > 1, "never the machine's own root");
  for (const path of REMOVED) rmSync(join(root, path), { recursive: true, force: true });
  for (const folder of EMPTIED) emptyFolder(join(root, folder));
  for (const folder of MOUNT_POINTS) mkdirSync(join(root, folder), { recursive: true });
  // The launcher is one file, and is mounted on one.
  writeFileSync(join(root, "run/sworn/launch"), "");
  addUser(root);
  settleKeystore(join(root, KEYSTORE));
  writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n");
  chmodSync(root, 0o755);
  for (const path of WRITABLE) chmodSync(join(root, path), 0o1777);
  for (const { path, kind, stat } of [...entriesIn(root)]) {
    const whole = join(root, path);
    const mode = Number(stat.mode & 0o7777n);
    if (kind === "file" && (mode & 0o6000) !== 0) chmodSync(whole, mode & 0o1777);
    if (stat.mtimeMs >= BigInt(begunMs)) lutimesSync(whole, SOURCE_DATE_EPOCH, SOURCE_DATE_EPOCH);
  }
}

function emptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Not in environments without Java. */
function settleKeystore(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return;
  writeFileSync(path, settledKeystore(readFileSync(path), SOURCE_DATE_EPOCH * 1_000));
}

function addUser(root: string): void {
  const { name, uid, gid } = TASK_USER;
  const home = `home/${name}`;
  const lines = {
    "etc/passwd": `${name}:x:${uid}:${gid}::/${home}:/bin/sh`,
    "etc/group": `${name}:x:${gid}:`,
    // The second field locks the password.
    "etc/shadow": `${name}:!:1:0:99999:7:::`,
  };
  for (const [path, line] of Object.entries(lines)) addLine(join(root, path), name, line);
  mkdirSync(join(root, home), { recursive: true });
  chownSync(join(root, home), uid, gid);
}

function addLine(path: string, name: string, line: string): void {
  const text = readOrEmpty(path);
  assert(!text.split("\n").some((one) => one.startsWith(`${name}:`)), `${path} has no ${name} yet`);
  appendFileSync(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
  chmodSync(path, path.endsWith("shadow") ? 0o600 : 0o644);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Small roots have no list of users yet.
    return "";
  }
}

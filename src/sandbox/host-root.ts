import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** What is put at a path of the sandbox before the task's own folders. */
export type RootPart =
  | { readonly kind: "folder"; readonly source: string; readonly target: string }
  | { readonly kind: "link"; readonly to: string; readonly target: string }
  | { readonly kind: "text"; readonly text: string; readonly target: string };

const LINKED = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** What programs of the machine look for, and nothing that says who uses it. */
const SETTINGS = [
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/java-17-openjdk",
  "/etc/python3",
  "/etc/python3.11",
];

/**
 * The machine's own programs as a root: `/usr`, read-only, and the few settings that programs need.
 * Nothing of `/home`, `/root`, `/var` or `/etc` comes along beyond those.
 */
export function hostRoot(uid: number): RootPart[] {
  return [
    { kind: "folder", source: "/usr", target: "/usr" },
    ...LINKED.flatMap(linkedPart),
    ...SETTINGS.filter((path) => existsSync(path)).map(
      (path): RootPart => ({ kind: "folder", source: realpathSync(path), target: path }),
    ),
    ...ownRuntime(),
    ...accounts(uid),
  ];
}

/** On most machines these are links into `/usr`; on old ones they are folders. */
function linkedPart(path: string): RootPart[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? [{ kind: "link", to: readlinkSync(path), target: path }]
    : [{ kind: "folder", source: path, target: path }];
}

/**
 * The Node.js that runs us, where it is installed outside of `/usr`: the program and npm, each by
 * itself. What else lies beside them may be somebody's home.
 */
function ownRuntime(): RootPart[] {
  const program = realpathSync(process.execPath);
  const prefix = dirname(dirname(program));
  if (prefix === "/usr" || prefix.startsWith("/usr/")) return [];
  const npm = join(prefix, "lib/node_modules/npm");
  const parts: RootPart[] = [{ kind: "folder", source: program, target: "/opt/node/bin/node" }];
  if (!existsSync(npm)) return parts;
  return [
    ...parts,
    { kind: "folder", source: realpathSync(npm), target: "/opt/node/lib/node_modules/npm" },
    { kind: "link", to: "../lib/node_modules/npm/bin/npm-cli.js", target: "/opt/node/bin/npm" },
  ];
}

/** A user without a name breaks programs; the machine's own list of users is none of a task's business. */
export function accounts(uid: number): RootPart[] {
  const home = "/workspace/data";
  return [
    {
      kind: "text",
      target: "/etc/passwd",
      text: `root:x:0:0:root:/nonexistent:/usr/sbin/nologin\ntask:x:${uid}:${uid}:task:${home}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
    },
    { kind: "text", target: "/etc/group", text: `root:x:0:\ntask:x:${uid}:\nnogroup:x:65534:\n` },
    { kind: "text", target: "/etc/hosts", text: "127.0.0.1 localhost\n::1 localhost\n" },
    {
      kind: "text",
      target: "/etc/nsswitch.conf",
      text: "passwd: files\ngroup: files\nhosts: files\n",
    },
    { kind: "text", target: "/etc/resolv.conf", text: "" },
  ];
}

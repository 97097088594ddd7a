import type { Limits } from "../../schema/execution.ts";
import { WORKSPACE } from "../../schema/execution.ts";
import type { Mount } from "../engine.ts";
import type { RootPart } from "../host-root.ts";

/** Where the launcher lies inside. */
export const LAUNCHER = "/run/sworn/launch";

/** File descriptors that the program gets, by what they are for. */
export interface Descriptors {
  readonly seccomp: number;
  readonly info: number;
  readonly launcher: number;
}

/** A part of the root; a text is read from a descriptor. */
export type OpenPart =
  | Exclude<RootPart, { kind: "text" }>
  | { readonly kind: "text"; readonly fd: number; readonly target: string };

/** What bubblewrap is told. It is read from a descriptor: arguments would show in the task's `/proc`. */
export function bwrapArguments(
  root: readonly OpenPart[],
  mounts: readonly Mount[],
  limits: Limits,
  { seccomp, info, launcher }: Descriptors,
  { uid, cwd }: { readonly uid: number; readonly cwd: string },
): string[] {
  return [
    ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    // The launcher is the first process itself: one of bubblewrap's would be the task's to change.
    ["--as-pid-1", "--clearenv"],
    ["--hostname", "sandbox", "--uid", `${uid}`, "--gid", `${uid}`],
    ...["/etc", "/run", "/run/sworn"].map((folder) => ["--perms", "0755", "--dir", folder]),
    ...root.map(partArguments),
    [
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "--perms",
      "1777",
      ...memory("/dev/shm", limits.tmp_bytes),
    ],
    ["--perms", "1777", ...memory("/tmp", limits.tmp_bytes)],
    ["--dir", WORKSPACE.root, "--dir", WORKSPACE.input],
    memory(WORKSPACE.data, limits.data_bytes),
    memory(WORKSPACE.output, limits.output_bytes),
    ...mounts.map(({ source, target, isWritable }) => [
      isWritable ? "--bind" : "--ro-bind",
      source,
      target,
    ]),
    ["--perms", "0555", "--ro-bind-data", `${launcher}`, LAUNCHER],
    ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", cwd],
    ["--seccomp", `${seccomp}`, "--info-fd", `${info}`],
  ].flat();
}

function memory(target: string, bytes: number): string[] {
  return ["--size", `${bytes}`, "--tmpfs", target];
}

function partArguments(part: OpenPart): string[] {
  if (part.kind === "link") return ["--symlink", part.to, part.target];
  return part.kind === "folder"
    ? ["--ro-bind", part.source, part.target]
    : // A file of the root, which becomes read-only as a whole: half the work of a mount of its own.
      ["--perms", "0444", "--file", `${part.fd}`, part.target];
}

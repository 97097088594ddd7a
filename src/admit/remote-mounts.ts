import { join, relative } from "node:path";

/** File systems that lie on another machine, or that somebody else's program makes up. */
const REMOTE = new Set(
  (
    "nfs nfs4 cifs smb2 smb3 smbfs 9p afs ceph coda ncpfs glusterfs lustre gpfs beegfs ocfs2 gfs2 davfs orangefs " +
    "pvfs2 virtiofs vboxsf vmhgfs prl_fs drvfs"
  ).split(" "),
);
/** FUSE file systems that only rearrange what is on this machine. */
const LOCAL_FUSE = new Set(["fuse.fuse-overlayfs", "fuse.lxcfs", "fuse.bindfs", "fuse.mergerfs"]);

/** One mounted file system, of `/proc/self/mountinfo`. */
export interface MountedAt {
  readonly path: string;
  readonly isRemote: boolean;
  /** The device, and which folder of it is seen here: a bind mount shows another one than its top. */
  readonly device: string;
  readonly root: string;
}

/** Where something lies whatever path it is seen under. */
export interface Beneath {
  readonly device: string;
  readonly path: string;
}

/** Reads `/proc/self/mountinfo`; undefined when it is not in the expected form. */
export function parseMountInfo(text: string): MountedAt[] | undefined {
  const lines = text.split("\n").filter((line) => line !== "");
  const mounted = lines.map(parseLine);
  const known = mounted.filter((one) => one !== undefined);
  return known.length === lines.length && known.some(({ path }) => path === "/")
    ? known
    : undefined;
}

function parseLine(line: string): MountedAt | undefined {
  const [before = "", after = ""] = line.split(" - ", 2);
  const [, , device = "", root = "", path] = before.split(" ");
  const type = after.split(" ")[0];
  if (!path?.startsWith("/") || !type) return undefined;
  return {
    path: withoutEscapes(path),
    isRemote: isRemoteType(type),
    device,
    root: withoutEscapes(root),
  };
}

function isRemoteType(type: string): boolean {
  return REMOTE.has(type) || (type.startsWith("fuse.") && !LOCAL_FUSE.has(type));
}

/** The kernel writes blanks and backslashes of a path in octal. */
function withoutEscapes(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** Whether a resolved path lies on a remote file system, or has one mounted inside. */
export function isRemoteAt(path: string, mounted: readonly MountedAt[]): boolean {
  const on = mountOf(path, mounted);
  return on === undefined || on.isRemote || inside(path, mounted).some(({ isRemote }) => isRemote);
}

/** Where a resolved path lies, and every file system that is mounted inside of it. */
export function allBeneath(path: string, mounted: readonly MountedAt[]): Beneath[] {
  const on = mountOf(path, mounted);
  const own = on && { device: on.device, path: join(on.root, relative(on.path, path)) };
  const more = inside(path, mounted).map(({ device, root }) => ({ device, path: root }));
  return own === undefined ? more : [own, ...more];
}

function inside(path: string, mounted: readonly MountedAt[]): MountedAt[] {
  return mounted.filter((one) => one.path !== path && isAtOrBelow(one.path, path));
}

function mountOf(path: string, mounted: readonly MountedAt[]): MountedAt | undefined {
  let on: MountedAt | undefined;
  for (const one of mounted) {
    // The later of two mounts at one place is the one that is seen.
    if (isAtOrBelow(path, one.path) && one.path.length >= (on?.path.length ?? 0)) on = one;
  }
  return on;
}

/** Whether a path is a folder or lies in it; both are absolute and resolved. */
export function isAtOrBelow(path: string, folder: string): boolean {
  // Asked a hundred thousand times in a session: without making a text each time.
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder === "/" || path[folder.length] === "/";
}

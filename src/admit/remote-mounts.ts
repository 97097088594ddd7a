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
  const path = before.split(" ")[4];
  const type = after.split(" ")[0];
  if (!path?.startsWith("/") || !type) return undefined;
  return { path: withoutEscapes(path), isRemote: isRemoteType(type) };
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
  let on: MountedAt | undefined;
  for (const one of mounted) {
    // The later of two mounts at one place is the one that is seen.
    if (isAtOrBelow(path, one.path) && one.path.length >= (on?.path.length ?? 0)) on = one;
    if (one.isRemote && one.path !== path && isAtOrBelow(one.path, path)) return true;
  }
  return on === undefined || on.isRemote;
}

/** Whether a path is a folder or lies in it; both are absolute and resolved. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

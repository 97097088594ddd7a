const NAME_BYTES_MAX = 100;
const DIGITS = 8;

/** The names of one delivered file and of what goes with it, inside the tar. */
export interface MemberNames {
  readonly member: string;
  readonly sidecar: string;
  readonly signature: string;
}

/**
 * Files keep their paths below `files/`, so that unpacking gives the output folder again. A path that
 * a plain tar header cannot hold gets a number instead; `packet.json` says which file it is.
 */
export function memberNames(path: string, at: number): MemberNames {
  const plain = namesOf("files", "signatures", path);
  const isHeld =
    /^[\x20-\x7e]+$/.test(path) &&
    Object.values(plain).every(({ length }) => length <= NAME_BYTES_MAX);
  return isHeld
    ? plain
    : namesOf("numbered", "numbered-signatures", String(at + 1).padStart(DIGITS, "0"));
}

function namesOf(folder: string, signatures: string, name: string): MemberNames {
  return {
    member: `${folder}/${name}`,
    sidecar: `${folder}/${name}.meta.json`,
    signature: `${signatures}/${name}.minisig`,
  };
}

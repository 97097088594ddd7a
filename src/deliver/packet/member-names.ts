const NAME_BYTES_MAX = 100;
const DIGITS = 8;

/** The names of one delivered file and of what goes with it, inside the tar. */
export interface MemberNames {
  readonly member: string;
  readonly sidecar: string;
  /** Null where the file carries none. */
  readonly signature: string | null;
}

/**
 * Files keep their paths below `out/`, so that unpacking gives the output folder again. A path that
 * a plain tar header cannot hold gets a number instead; `packet.json` says which file it is.
 */
export function memberNames(path: string, at: number, isSigned: boolean): MemberNames {
  const plain = namesOf("out", "signatures", path, isSigned);
  const isHeld =
    /^[\x20-\x7e]+$/.test(path) &&
    Object.values(plain).every((name) => name === null || name.length <= NAME_BYTES_MAX);
  const number = String(at + 1).padStart(DIGITS, "0");
  return isHeld ? plain : namesOf("numbered", "numbered-signatures", number, isSigned);
}

function namesOf(folder: string, signatures: string, name: string, isSigned: boolean): MemberNames {
  return {
    member: `${folder}/${name}`,
    sidecar: `${folder}/${name}.meta.json`,
    signature: isSigned ? `${signatures}/${name}.minisig` : null,
  };
}

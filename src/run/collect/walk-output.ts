import { isUtf8 } from "node:buffer";
import { type Dirent, opendirSync, type Stats } from "node:fs";
import { isSecretName, redact } from "../../scan/classify/index.ts";
import {
  close,
  type Folder,
  hasMountsBeneath,
  holdName,
  mountOf,
  openFolder,
  pathOf,
  statOf,
  systemCode,
} from "./beneath.ts";

/** A file that may be taken, as it was when it was seen; reading it checks that it still is. */
export interface SeenFile {
  readonly path: string;
  readonly names: readonly Buffer[];
  readonly stat: Stats;
}

/** Something in the output that is not taken, and why. The path is spelt so that it can be printed. */
export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}

export interface Walk {
  readonly files: SeenFile[];
  readonly refused: RefusedEntry[];
  /** How many were refused; the list may be shorter. */
  refusedCount: number;
  /** Set when there were more entries than may be: the rest was not looked at. */
  isCut: boolean;
}

/** Nothing useful lies deeper; each level costs an open folder. */
const LEVELS_MAX = 64;
const REFUSED_MAX = 1_000;
/** Together with the folder that it is copied to it must stay below the system's 4,096. */
const PATH_BYTES_MAX = 3_000;
/** The system allows 255; a sidecar's name is ten longer than its file's. */
const NAME_BYTES_MAX = 245;
const PRINTED_CHARS_MAX = 300;
/** Names are read from the system in groups of this size. */
const NAMES_AT_ONCE = 256;

/**
 * Looks at everything below a folder without following a link or opening a file. Every entry
 * counts, folders too: a million empty folders are as bad as a million files.
 */
export function walkOutput(top: Folder, entriesMax: number): Walk {
  const walk: Walk = { files: [], refused: [], refusedCount: 0, isCut: false };
  const state: State = {
    walk,
    left: entriesMax,
    mount: hasMountsBeneath(top) ? mountOf(top) : undefined,
  };
  visit(state, top, []);
  return walk;
}

interface State {
  readonly walk: Walk;
  left: number;
  /** The mount that everything must be on; undefined where there is no other. */
  readonly mount: string | undefined;
}

function visit(state: State, folder: Folder, above: readonly Buffer[]): void {
  const entries = opendirSync(pathOf(folder), {
    // The types know text alone; names are bytes, and need not be text.
    encoding: "buffer" as BufferEncoding,
    bufferSize: NAMES_AT_ONCE,
  });
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      state.left -= 1;
      if (state.left < 0) {
        state.walk.isCut = true;
        return;
      }
      visitName(state, folder, [...above, bytesOf(entry)]);
      if (state.walk.isCut) return;
    }
  } finally {
    entries.closeSync();
  }
}

function bytesOf({ name }: Dirent): Buffer {
  return Buffer.from(name);
}

function visitName(state: State, folder: Folder, names: readonly Buffer[]): void {
  const reason = nameFault(names);
  if (reason !== undefined) {
    refuse(state.walk, names, reason);
    return;
  }
  try {
    const name = names.at(-1) as Buffer;
    const held = holdName(folder, name);
    try {
      if (state.mount !== undefined && mountOf(held) !== state.mount) {
        refuse(state.walk, names, "it is on another mount");
      } else take(state, folder, names, statOf(held));
    } finally {
      close(held);
    }
  } catch (error) {
    // It went away, changed into something else, or may not be opened: it is not taken.
    refuse(state.walk, names, `cannot be opened (${systemCode(error)})`);
  }
}

function nameFault(names: readonly Buffer[]): string | undefined {
  const name = names.at(-1) as Buffer;
  if (!isUtf8(name)) return "its name is not UTF-8";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name.toString())) {
    return "its name has control characters";
  }
  if (name.length > NAME_BYTES_MAX) return `its name is longer than ${NAME_BYTES_MAX} bytes`;
  // A manifest lists names, so that this one could never be taken out of the record again.
  if (isSecretName(name.toString())) return "its name holds a key or a token";
  const bytes = names.reduce((total, one) => total + one.length + 1, 0);
  return bytes > PATH_BYTES_MAX ? `its path is longer than ${PATH_BYTES_MAX} bytes` : undefined;
}

function take(state: State, folder: Folder, names: readonly Buffer[], stat: Stats): void {
  const reason = kindFault(names, stat);
  if (reason !== undefined) {
    refuse(state.walk, names, reason);
    return;
  }
  if (stat.isFile()) {
    const path = Buffer.concat(withSlashes(names)).toString();
    state.walk.files.push({ path, names, stat });
    return;
  }
  const inside = openFolder(folder, names.at(-1) as Buffer);
  try {
    visit(state, inside, names);
  } finally {
    close(inside);
  }
}

function kindFault(names: readonly Buffer[], stat: Stats): string | undefined {
  if (stat.isFile()) return undefined;
  if (!stat.isDirectory()) return `it is ${kindOf(stat)}`;
  // Its place is the one of the sidecar that a file without the ending would get.
  if (names.at(-1)?.toString().endsWith(".meta.json")) return "it is a folder named like a sidecar";
  const isTooDeep = names.length >= LEVELS_MAX;
  return isTooDeep ? `it is a folder more than ${LEVELS_MAX} levels down` : undefined;
}

function withSlashes(names: readonly Buffer[]): Buffer[] {
  return names.flatMap((name, at) => (at === 0 ? [name] : [Buffer.from("/"), name]));
}

function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return "a symbolic link";
  if (stat.isFIFO()) return "a pipe";
  if (stat.isSocket()) return "a socket";
  return stat.isBlockDevice() || stat.isCharacterDevice() ? "a device" : "no plain file";
}

/** Remembers why; after so many, only that there were more. */
export function refuse(walk: Walk, names: readonly Buffer[], reason: string): void {
  walk.refusedCount += 1;
  if (walk.refused.length >= REFUSED_MAX) return;
  walk.refused.push({ path: printed(names), reason });
}

/** A name can hold anything; what is shown has no control characters and an end. */
function printed(names: readonly Buffer[]): string {
  const text = Buffer.concat(withSlashes(names)).toString("utf8").toWellFormed();
  const plain = JSON.stringify(redact(text).text)
    .slice(1, -1)
    .replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
  return plain.length > PRINTED_CHARS_MAX
    ? `${plain.slice(0, PRINTED_CHARS_MAX).toWellFormed()}…`
    : plain;
}

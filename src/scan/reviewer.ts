import type { Finding } from "../schema/finding.ts";

/** A file as it stands at the reviewed commit, decoded. */
export interface SourceFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A finding before it has a number; the category names the rule that made it. */
export type Found = Omit<Finding, "id"> & { readonly category: string };

/** What is said of a built-in reviewer. */
export interface Member {
  /** As shown to people: `security`. */
  readonly name: string;
  /** What it looks at, in one line. */
  readonly role: string;
  /** Two to five capitals before its findings' numbers: `SEC`. */
  readonly prefix: string;
  /** Whether it can say anything about a file with this path. */
  covers(path: string): boolean;
}

/** Who somebody is that judges each file by itself. */
export interface FileMember extends Member {
  /** Whether it also reads code that says of itself that a machine made it. */
  readonly doubtsMarks?: true;
}

/** A built-in reviewer that judges each file by itself; it can run on any thread. */
export interface FileReviewer extends FileMember {
  /** Why it does not look at a file that it covers by name; nothing found must not mean not looked. */
  passesOver?(file: SourceFile): string | undefined;
  /** Says through `leaveOut` why it did not look at all of the file, where it did not. */
  review(file: SourceFile, leaveOut?: (why: string) => void): Found[];
}

/** A built-in reviewer that must have seen all files before it can speak. */
export interface TreeReviewer extends Member {
  /** Whether it must see a file that is not under review, in order to judge those that are. */
  context?(path: string): boolean;
  /** Whether lockfiles are its business; to all others they are a machine's writing. */
  readonly readsLockfiles?: boolean;
  start(): TreeReading;
}

export interface TreeReading {
  /** Files it took and did not look at, with the reason. */
  readonly skipped?: readonly { readonly path: string; readonly why: string }[];
  /** After the end: why it could do nothing at all, where that is nobody's failure. */
  readonly unavailable?: string | undefined;
  /** What it never looks at, whatever the files are. */
  readonly notChecked?: readonly string[];
  take(file: SourceFile): void;
  /** A file of the tree that is not under review; told after all files that are. */
  see?(file: SourceFile): void;
  finish(stop: AbortSignal): Found[] | Promise<Found[]>;
}

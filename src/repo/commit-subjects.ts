import type { Git } from "./git.ts";
import { nulRecords } from "./git-path.ts";
import { assertId } from "./tree-listing.ts";

const RECORD_BYTES_MAX = 1 << 20;
const SUBJECT_CHARS_MAX = 1_000;

/** A commit and the first line of what its author wrote about it. */
export interface CommitSubject {
  readonly commit: string;
  readonly subject: string;
}

/** The last commits before and with one, newest first, with their subjects; none that `since` has. */
export async function* commitSubjects(
  git: Git,
  head: string,
  countMax: number,
  since?: string,
): AsyncGenerator<CommitSubject> {
  assertId(head);
  if (since !== undefined) assertId(since);
  const range = since === undefined ? [head] : [head, `^${since}`];
  const form = ["-z", "--no-show-signature", "--format=%H %s", `-n${countMax}`];
  const args = ["log", ...form, ...range, "--"];
  for await (const record of nulRecords(git.stream(args), RECORD_BYTES_MAX)) {
    const text = Buffer.from(record).toString("utf8");
    const space = text.indexOf(" ");
    const subject = text.slice(space + 1, space + 1 + SUBJECT_CHARS_MAX).toWellFormed();
    yield { commit: text.slice(0, space), subject };
  }
}

const SUBJECT_CHARS_MAX = 72;

/**
 * A change as one mail, the form that `git am` takes. Whoever applies it gets the very files that were
 * proven; where they come from is in the packet, and its names are no author's.
 */
export function* commitPatch(
  about: { readonly commit: string; readonly task: string; readonly recordedAt: string },
  diff: Iterable<Buffer>,
): Generator<Buffer> {
  const words = about.task.replaceAll(/[\p{C}\p{Z}\s]+/gu, " ").trim();
  const subject = Array.from(words).slice(0, SUBJECT_CHARS_MAX).join("") || "a change";
  const head = [
    // The date in this line is fixed by the format.
    `From ${about.commit} Mon Sep 17 00:00:00 2001`,
    "From: Sworn <sworn@localhost>",
    `Date: ${new Date(about.recordedAt).toUTCString().replace("GMT", "+0000")}`,
    `Subject: [PATCH] ${subject}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=UTF-8",
    "Content-Transfer-Encoding: 8bit",
    "",
    "---",
    "",
  ].join("\n");
  yield Buffer.from(head);
  yield* diff;
  yield Buffer.from("-- \nsworn\n");
}

import type { LauncherWriter } from "./launcher.ts";
import { type Expected, type Question, resultIn } from "./question.ts";

const STDERR = 2;
const LAST = 0xffff_ffff;

/**
 * Closes what was open in the process that started us, or in the one that started that: a file of
 * the user's, or a socket, would go through every wall. Only the launcher's own channel stays.
 */
export function descriptorQuestions(
  writer: LauncherWriter,
  { channel: { report, word } }: Expected,
): Question[] {
  const kept = [...new Set([STDERR, report, word])]
    .filter((fd) => fd >= STDERR)
    .sort((a, b) => a - b);
  return kept.flatMap((fd, at) => {
    const [from, to] = [fd + 1, (kept[at + 1] ?? LAST + 1) - 1];
    if (from > to) return [];
    const result = writer.call("close_range", from, to, 0);
    const judge = (text: Buffer) =>
      resultIn(text, result) === 0 ? undefined : `descriptors ${from} to ${to} could not be closed`;
    return [{ control: "descriptors", judge }];
  });
}

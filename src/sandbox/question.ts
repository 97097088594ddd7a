import type { Limits } from "../schema/execution.ts";
import type { LauncherChannel, LauncherWriter, Slot } from "./launcher.ts";

/** One question that the launcher asks from inside, and which control its answer is about. */
export interface Question {
  readonly control: string;
  /** Undefined when the answer is right; otherwise what was expected and what was found. */
  judge(report: Buffer): string | undefined;
}

/** What the inside is asked and expected to be. */
export interface Expected {
  readonly limits: Limits;
  readonly channel: LauncherChannel;
  /** The uid that the task has inside. */
  readonly uid: number;
}

/** The result of a call: not negative when it was done, otherwise the negative error number. */
export function resultIn(report: Buffer, { offset }: Slot): number {
  return Number(report.readBigInt64LE(offset));
}

/** What a file said, or undefined when it could not be read. */
export function textIn(
  report: Buffer,
  { opened, content, length }: ReturnType<LauncherWriter["read"]>,
): string | undefined {
  const bytes = resultIn(report, length);
  if (resultIn(report, opened) < 0 || bytes < 0) return undefined;
  return report.toString("latin1", content.offset, content.offset + bytes);
}

import type { LauncherWriter } from "./launcher.ts";
import { type Expected, type Question, resultIn } from "./question.ts";

/** Numbers of the kernel's per-process limits. */
const RLIMIT = { fsize: 1, core: 4, nofile: 7 } as const;
const TMPFS = 0x0102_1994n;
const STATFS_BYTES = 120;

/** Sets the limits of a process from inside and reads back what is in force. */
export function limitQuestions(writer: LauncherWriter, { limits }: Expected): Question[] {
  return [
    processLimit(writer, "open_files", RLIMIT.nofile, limits.open_files),
    processLimit(writer, "file_size", RLIMIT.fsize, limits.file_bytes),
    processLimit(writer, "file_size", RLIMIT.core, 0),
    bounded(writer, "/tmp", limits.tmp_bytes),
    bounded(writer, "/dev/shm", limits.tmp_bytes),
    bounded(writer, "/workspace/data", limits.data_bytes),
    bounded(writer, "/workspace/output", limits.output_bytes),
  ];
}

function processLimit(
  writer: LauncherWriter,
  control: string,
  which: number,
  most: number,
): Question {
  const wanted = Buffer.alloc(16);
  wanted.writeBigUInt64LE(BigInt(most), 0);
  wanted.writeBigUInt64LE(BigInt(most), 8);
  writer.call("prlimit64", 0, which, writer.memory(wanted).at, 0);
  const now = writer.memory(Buffer.alloc(16));
  const read = writer.call("prlimit64", 0, which, 0, now.at);
  return {
    control,
    judge: (report) => {
      const hard = report.readBigUInt64LE(now.offset + 8);
      if (resultIn(report, read) === 0 && hard <= BigInt(most)) return undefined;
      return `expected at most ${most} for limit ${which}, found ${hard}`;
    },
  };
}

function bounded(writer: LauncherWriter, path: string, most: number): Question {
  const found = writer.memory(Buffer.alloc(STATFS_BYTES));
  const asked = writer.call("statfs", writer.text(path).at, found.at);
  return {
    control: "tmp_size",
    judge: (report) => {
      if (resultIn(report, asked) !== 0) return `${path} could not be looked at`;
      const kind = report.readBigInt64LE(found.offset);
      const size =
        report.readBigUInt64LE(found.offset + 8) * report.readBigUInt64LE(found.offset + 16);
      if (kind !== TMPFS) return `${path} is not in memory, so its size has no bound`;
      return size <= BigInt(most)
        ? undefined
        : `expected at most ${most} bytes in ${path}, found ${size}`;
    },
  };
}

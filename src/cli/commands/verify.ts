import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { namesTrace, type VerifyOutcome, verifyTarget } from "../../flow/trace/verify-target.ts";
import type { PacketReport } from "../../schema/packet-report.ts";
import { leaveUncompiled } from "../../schema/uncompiled.ts";
import { readKeyArgument, threadsHere } from "../arguments.ts";
import type { Answer, CommandIo, Io } from "../io.ts";
import { ownKey } from "../own-keys.ts";
import { progress } from "../progress.ts";
import { foreignWords, proofWords, reportWords } from "../report-words.ts";

const COMPILE_FROM_BYTES = 1 << 20;

export const Arguments = z.strictObject({
  target: z.string().min(1),
  profile: z.enum(["strict", "default", "lenient"]).default("default"),
  fast: z.boolean().default(false),
  key: z.string().min(1).optional(),
  rerun: z.boolean().default(false),
});

type Arguments = z.infer<typeof Arguments>;

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const path = resolve(io.cwd, args.target);
  if (namesTrace(args.target)) return verify(path, args, io);
  if (!existsSync(path)) {
    const { verifyBranch } = await import("../verify-branch.ts");
    const found = await verifyBranch(args.target, io, (packet) => verify(packet, args, io, true));
    if (found !== undefined) return found;
  }
  if (!isFolder(path)) return verify(path, args, io);
  const { isPacketFolder, withPacked } = await import("../../flow/packet-folder.ts");
  if (!isPacketFolder(path)) return verify(path, args, io);
  return withPacked(path, (packed) => verify(packed, args, io));
}

/** @param isOwn whether it was found in this project, where one's own key may well have signed it */
async function verify(
  path: string,
  args: Arguments,
  io: CommandIo,
  isOwn = false,
): Promise<Answer> {
  const openPlace = async () => (await import("../config.ts")).openPlace(io);
  // Compiling the shapes pays off only where many entries go through them.
  if (sizeOf(path) < COMPILE_FROM_BYTES) leaveUncompiled();
  const trustedKey = readKeyArgument(args.key, io);
  const bar = progress(io, "verified");
  try {
    const outcome = await verifyTarget(openPlace, isPlainFile(path) ? path : args.target, {
      profile: args.profile,
      mode: args.fast ? "fast" : "full",
      trustedKey,
      threads: threadsHere(),
      onProgress: (entries) => {
        io.signal.throwIfAborted();
        bar.update(entries);
      },
    });
    const isPinned = trustedKey !== undefined;
    if (outcome.kind === "packet") {
      const isAgain = args.rerun && outcome.report.status !== "fail";
      return await ofPacket(outcome.report, isAgain ? path : undefined, { isPinned, isOwn }, io);
    }
    if (args.rerun) {
      throw new SwornError("INPUT_INVALID", `${args.target} is no packet; --rerun is for packets`);
    }
    return outcome.kind === "proof"
      ? await proofAnswer(outcome, isPinned, io)
      : await reportAnswer(outcome, args.target, isPinned, io);
  } finally {
    bar.end();
  }
}

/** @param again where it lies, when its checks are to be made again */
async function ofPacket(
  report: PacketReport,
  again: string | undefined,
  { isPinned, isOwn }: { readonly isPinned: boolean; readonly isOwn: boolean },
  io: CommandIo,
): Promise<Answer> {
  const { packetAnswer, rerunAnswer } = await import("../packet-answer.ts");
  if (again !== undefined) return rerunAnswer(again, report, io);
  const own = isOwn ? await ownKey(io, report.signer) : undefined;
  return packetAnswer(report, { isPinned, own });
}

async function proofAnswer(
  { verdict, facts }: Extract<VerifyOutcome, { kind: "proof" }>,
  isPinned: boolean,
  io: Io,
): Promise<Answer> {
  const isFailed = verdict.status === "fail";
  const own = isFailed && isPinned ? await ownKey(io, facts.signer) : undefined;
  const { trace, seq, size, signer, type } = facts;
  const json = { ...verdict, trace, seq, size, signer, type };
  return { exit: isFailed ? 4 : 0, json, words: proofWords(verdict, facts, { isPinned, own }) };
}

async function reportAnswer(
  { report, isLocal, foreign }: Extract<VerifyOutcome, { kind: "trace" }>,
  target: string,
  isPinned: boolean,
  io: Io,
): Promise<Answer> {
  const exit = report.status === "fail" ? 4 : 0;
  if (foreign !== undefined) {
    return { exit, json: report, words: `FAIL: ${foreignWords(target, foreign)}` };
  }
  // Only where it matters whose key it is: a stranger's bundle is verified without a look at one's keys.
  const isOther = report.failures.some(({ code }) => code === "KEY_NOT_TRUSTED");
  const own = isLocal || isOther ? await ownKey(io, report.signer) : undefined;
  return { exit, json: report, words: reportWords(report, { isPinned, own }) };
}

function isPlainFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
}

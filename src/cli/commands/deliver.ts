import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { type DeliverOutcome, deliver } from "../../flow/deliver/deliver.ts";
import { isWorkId } from "../../flow/deliver/task/delivered-work.ts";
import { LOCAL_BRANCH } from "../../flow/deliver/task/listed-sink.ts";
import { wholeId } from "../../flow/whole-id.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";
import { progress } from "../progress.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({
  subject: z.string().min(1),
  to: z.string().min(1).optional(),
  out: z.string().min(1).optional(),
  send: z.boolean().default(false),
});

const MIB = 1 << 20;

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const { to, out, send } = args;
  const subject = isRun(args.subject, io)
    ? args.subject
    : wholeId(openPlace(io), args.subject, ["work"]);
  // A run leaves files, which are in some folder; whatever has none is a session with a commit.
  const isSession = subject.startsWith("trace_") && out === undefined;
  if (isWorkId(subject) || isSession) {
    const { deliverWork } = await import("../deliver-work.ts");
    const work = isSession ? openPlace(io).find(subject) : subject;
    return deliverWork({ work, to: to ?? LOCAL_BRANCH, isSent: send }, io);
  }
  if (!isRun(subject, io)) {
    const called = JSON.stringify(subject.slice(0, 64));
    throw new SwornError(
      "NOT_FOUND",
      `there is no work and no run called ${called}: a work is called by its id, which "sworn status" shows; a run by "latest", its trace or its manifest`,
    );
  }
  if (to === undefined || out === undefined) {
    const missing = to === undefined ? "--to" : "--out";
    throw new SwornError("INPUT_INVALID", `${missing} is missing; a run needs it, a work does not`);
  }
  return deliverRun({ run: subject, to, out }, io);
}

function isRun(subject: string, { cwd }: CommandIo): boolean {
  return subject === "latest" || subject.startsWith("trace_") || existsSync(resolve(cwd, subject));
}

async function deliverRun(
  args: { readonly run: string; readonly to: string; readonly out: string },
  io: CommandIo,
): Promise<Answer> {
  const place = openPlace(io);
  const drawn = progress(io, "sent");
  const outcome = await deliver({
    place,
    root: dirname(place.store),
    run:
      args.run === "latest" || args.run.startsWith("trace_") ? args.run : resolve(io.cwd, args.run),
    out: resolve(io.cwd, args.out),
    to: args.to,
    env: io.env,
    home: io.home,
    signal: io.signal,
    onStep: (words) => {
      drawn.end();
      io.err(`sworn: ${words}\n`);
    },
    onProgress: (done, bytes) => drawn.show(() => `${done} ${(bytes / MIB).toFixed(1)} MiB`),
  }).finally(drawn.end);
  const exit = outcome.refused === undefined ? 0 : 3;
  return { exit, json: documentOf(outcome, args.to), words: wordsOf(outcome, args.to) };
}

function documentOf(outcome: DeliverOutcome, to: string) {
  const { trace, run: delivered, destination, manifest, refused, packet } = outcome;
  return {
    trace,
    run: delivered ?? null,
    sink: packet === undefined && delivered === undefined ? null : to,
    destination,
    manifest_sha256: manifest ?? null,
    packet:
      packet === undefined
        ? null
        : {
            name: packet.name,
            bytes: packet.bytes,
            sha256: packet.sha256,
            encrypted: packet.isEncrypted,
            files: packet.files,
            file_bytes: packet.fileBytes,
            signed: packet.signed,
          },
    ...(refused === undefined ? {} : { refused }),
  };
}

function wordsOf(outcome: DeliverOutcome, to: string): string {
  const { trace, run: delivered, destination, manifest, refused, packet } = outcome;
  if (packet === undefined) {
    const why = `Refused by ${refused?.rule}: ${refused?.reason}`;
    return `${why}\nThe refusal is on record: ${trace}`;
  }
  const rows = [
    ["run", delivered ?? ""],
    ["manifest", `sha256:${manifest}`],
    [
      "files",
      `${packet.files}, ${packet.fileBytes} bytes, ${packet.signed} with a signature of their own`,
    ],
    ["packet", packet.name],
    ["", `${packet.bytes} bytes, ${packet.isEncrypted ? "encrypted with age" : "not encrypted"}`],
    ["", `sha256:${packet.sha256}`],
    ["trace", trace],
  ];
  return table([`Delivered to ${to}`, destination], rows);
}

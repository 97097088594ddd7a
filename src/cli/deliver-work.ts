import { dirname, relative } from "node:path";
import { deliverTask, type TaskOutcome } from "../flow/deliver/task/deliver-task.ts";
import { Repository } from "../repo/index.ts";
import { openPlace } from "./config.ts";
import type { Answer, CommandIo } from "./io.ts";
import { table } from "./table.ts";

/** Delivers a work for a person, and tells what came of it. */
export async function deliverWork(
  asked: { readonly work: string; readonly to: string; readonly isSent: boolean },
  io: CommandIo,
): Promise<Answer> {
  const { env, home, signal } = io;
  const place = openPlace(io);
  const root = dirname(place.store);
  const repository = await Repository.open(root, { env, signal });
  try {
    const outcome = await deliverTask({
      ...{ place, repository, root, ...asked, env, home, signal },
      onStep: (words) => io.err(`sworn: ${words}\n`),
    });
    const exit = outcome.refused === undefined ? 0 : 3;
    return { exit, json: documentOf(outcome), words: wordsOf(outcome, io.cwd) };
  } finally {
    repository.close();
  }
}

function documentOf(outcome: TaskOutcome) {
  const { trace, work, sink, refused, effect, packet, review, unmoved } = outcome;
  return {
    trace,
    work,
    sink,
    status: refused === undefined ? (effect?.status ?? null) : "refused",
    where: effect?.where ?? null,
    url: effect?.url ?? null,
    review: review ?? null,
    ...(unmoved === undefined ? {} : { review_unmoved: unmoved }),
    packet:
      packet === undefined
        ? null
        : {
            path: packet.tar,
            bytes: packet.bytes,
            sha256: packet.digest,
            commit: packet.head.commit,
          },
    ...(refused === undefined ? {} : { refused }),
  };
}

const HEADINGS = {
  planned: "Rehearsed: nothing left this machine; say --send to do it",
  sent: "Delivered",
  present: "There already: nothing was done again",
} as const;

function wordsOf(
  { trace, sink, refused, effect, packet, review, unmoved }: TaskOutcome,
  cwd: string,
): string {
  if (refused !== undefined || effect === undefined) {
    const on = trace === null ? "" : `\nThe refusal is on record: ${trace}`;
    return `Refused by ${refused?.rule}: ${refused?.reason}${on}`;
  }
  const rows = [
    ["to", `${sink}: ${effect.where}`],
    ...(effect.url === undefined ? [] : [["see", effect.url]]),
    ["commit", packet?.head.commit ?? ""],
    ["packet", packet === undefined ? "" : relative(cwd, packet.tar)],
    ["", `${packet?.bytes} bytes, sha256:${packet?.digest}`],
    ...(review === undefined ? [] : [["review", review]]),
    ...(unmoved === undefined ? [] : [["review", `not moved, deliver again for that: ${unmoved}`]]),
    ...(trace === null ? [] : [["trace", trace]]),
  ];
  return table([HEADINGS[effect.status], ""], rows);
}

import { fileURLToPath } from "node:url";
import * as z from "zod";
import { counted } from "../../base/index.ts";
import type { Guarantee } from "../../flow/prove-guarantees/guarantee.ts";
import { realProduct } from "../../flow/prove-guarantees/product.ts";
import { proveGuarantees } from "../../flow/prove-guarantees/prove-guarantees.ts";
import type { Answer, CommandIo } from "../io.ts";
import { progress } from "../progress.ts";

export const Arguments = z.strictObject({});

/** One line each; `--json` has all of it. */
const CHARS_SHOWN = 160;
const BIN = fileURLToPath(new URL("../bin.js", import.meta.url));

export async function run(_: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const shown = progress(io, "Tried", "guarantees");
  const guarantees = await proveGuarantees(realProduct([process.execPath, BIN]), {
    path: io.env["PATH"],
    signal: io.signal,
    onDone: (done, of) => shown.show(() => `Tried ${done} of ${of} guarantees`),
    onTold: (one) => {
      shown.end();
      io.say(`${linesOf(one).join("\n")}\n`);
    },
  }).finally(() => shown.end());
  const isWhole = guarantees.every(({ holds }) => holds);
  return {
    exit: isWhole ? 0 : 4,
    json: { guarantees },
    words: wordsOf(guarantees),
    isAnswered: true,
  };
}

/** What stands below them all. */
function wordsOf(guarantees: readonly Guarantee[]): string {
  const open = guarantees.filter(({ holds }) => !holds);
  return open.length === 0
    ? `All ${counted(guarantees.length, "guarantee")} hold here.`
    : `${open.length} of ${counted(guarantees.length, "guarantee")} ${open.length === 1 ? "does" : "do"} not hold here: ${open.map(({ name }) => name).join(", ")}.`;
}

/** One guarantee as a person reads it; one that was only interrupted is no verdict. */
function linesOf({ name, tried, answered, holds, isStopped }: Guarantee): string[] {
  if (isStopped) return [`not tried: stopped: ${name}`];
  return [
    `${holds ? "holds" : "DOES NOT HOLD"}: ${name}`,
    `  tried     ${tried}`,
    `  answered  ${answered.length > CHARS_SHOWN ? `${answered.slice(0, CHARS_SHOWN - 1).trimEnd()}…` : answered}`,
  ];
}

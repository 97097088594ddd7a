import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { counted, SwornError } from "../../base/index.ts";
import { importBundle } from "../../flow/trace/bundle.ts";
import { foreignFile } from "../../flow/trace/foreign-file.ts";
import { readKeyArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { ownKey } from "../own-keys.ts";
import { foreignWords, reportWords, signerWords } from "../report-words.ts";

export const Arguments = z.strictObject({
  bundle: z.string().min(1),
  key: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const trustedKey = readKeyArgument(args.key, io);
  const path = resolve(io.cwd, args.bundle);
  const foreign = existsSync(path) ? foreignFile(path) : undefined;
  if (foreign !== undefined) {
    throw new SwornError("BUNDLE_MALFORMED", foreignWords(args.bundle, foreign));
  }
  const { kind, report } = await importBundle(openPlace(io), path, trustedKey);
  const { trace, entries, status } = report;
  const json = { trace, imported: kind === "imported", entries, report };
  const reader = { isPinned: trustedKey !== undefined, own: await ownKey(io, report.signer) };
  if (kind === "refused") {
    const words = `Not imported: the bundle does not verify.\n${reportWords(report, reader)}`;
    return { exit: 4, json, words };
  }
  const what = kind === "imported" ? "Imported" : "Already here:";
  const words = [
    `${what} ${trace} (${counted(entries, "entry")}, ${status})`,
    ...signerWords(report.signer, reader),
  ];
  return { exit: 0, json, words: words.join("\n") };
}

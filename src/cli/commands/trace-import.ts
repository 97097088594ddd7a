import { resolve } from "node:path";
import * as z from "zod";
import { importBundle } from "../../flow/bundle.ts";
import { readKeyArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { reportWords } from "../report-words.ts";

export const Arguments = z.strictObject({
  bundle: z.string().min(1),
  key: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const trustedKey = readKeyArgument(args.key, io);
  const path = resolve(io.cwd, args.bundle);
  const { kind, report } = await importBundle(openPlace(io), path, trustedKey);
  const { trace, entries, status } = report;
  const json = { trace, imported: kind === "imported", entries, report };
  if (kind === "refused") {
    const words = `Not imported: the bundle does not verify.\n${reportWords(report, trustedKey !== undefined)}`;
    return { exit: 4, json, words };
  }
  const what = kind === "imported" ? "Imported" : "Already here:";
  return { exit: 0, json, words: `${what} ${trace} (${entries} entries, ${status})` };
}

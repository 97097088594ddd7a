import { resolve } from "node:path";
import { importBundle } from "../../flow/bundle.ts";
import type { Run } from "../command.ts";
import { openPlace } from "../config.ts";
import { reportWords } from "../report-words.ts";
import { trustedKeyOf } from "./verify.ts";

export const run: Run = async (call) => {
  const trustedKey = trustedKeyOf(call);
  const { kind, report } = await importBundle(
    openPlace(call.io),
    resolve(call.io.cwd, call.positionals[0] ?? ""),
    trustedKey,
  );
  const json = {
    trace: report.trace,
    imported: kind === "imported",
    entries: report.entries,
    report,
  };
  if (kind === "refused") {
    return {
      exit: 4,
      json,
      words: `Not imported: the bundle does not verify.\n${reportWords(report, trustedKey !== undefined)}`,
    };
  }
  const what = kind === "imported" ? "Imported" : "Already here:";
  return {
    exit: 0,
    json,
    words: `${what} ${report.trace} (${report.entries} entries, ${report.status})`,
  };
};

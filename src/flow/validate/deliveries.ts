import { join } from "node:path";
import { decodeUtf8, messageOf, readPlainFile } from "../../base/index.ts";
import { type ParsedReport, parseReport } from "../../claim/index.ts";
import type { Contract, Teammate } from "../../schema/contract.ts";
import type { Delivery } from "../../verify/contract/index.ts";
import { withCompanion } from "./companion.ts";

const FILE_BYTES_MAX = 16 << 20;
/** What the files of a team may hold together; agents that write more have not worked. */
const TEAM_BYTES_MAX = 64 << 20;

/** What lies where a teammate owes its file, and the report in it where there is one. */
export interface Delivered {
  readonly teammate: Teammate;
  readonly delivery: Delivery;
  readonly report?: ParsedReport;
}

/** Looks for everybody's file. What is beyond the bound for all together is left unread, and so missing. */
export function readDeliveries(folder: string, contract: Contract): Delivered[] {
  let bytes = 0;
  return contract.teammates.map((teammate) => {
    const delivered = readDelivery(folder, teammate, contract);
    if (delivered.delivery.kind === "file") bytes += Buffer.byteLength(delivered.delivery.text);
    if (bytes <= TEAM_BYTES_MAX) return delivered;
    const why = `the team's files have more than ${TEAM_BYTES_MAX} bytes together`;
    return { teammate, delivery: { kind: "unreadable", why } };
  });
}

/**
 * Looks for a teammate's file. What cannot be read is not there as far as the contract goes. Where
 * the contract expects no findings, a list of open points is not taken for one.
 */
function readDelivery(folder: string, teammate: Teammate, contract: Contract): Delivered {
  const read = readReportFile(join(folder, teammate.output_file));
  if ("report" in read) {
    const report = hasFindings(contract)
      ? read.report
      : { ...read.report, findings: [], nonces: [], unread: [] };
    const delivery = { kind: "file", text: read.text, report } as const;
    const delivered = { teammate, delivery, report };
    return hasFindings(contract)
      ? withCompanion(folder, delivered, contract, readReportFile)
      : delivered;
  }
  const { why } = read;
  return {
    teammate,
    delivery: why === undefined ? { kind: "missing" } : { kind: "unreadable", why },
  };
}

/** Status reports hold no findings: their contract turns verification off and binds nothing. */
export function hasFindings({ verification, aggregator }: Contract): boolean {
  return verification?.enabled !== false || aggregator !== undefined;
}

/** A report with its text; or why it cannot be read, which is undefined where there is no file. */
export function readReportFile(
  path: string,
): { readonly report: ParsedReport; readonly text: string } | { readonly why: string | undefined } {
  try {
    const text = decodeUtf8(readPlainFile(path, FILE_BYTES_MAX, "refuse"));
    return { text, report: parseReport(text, { path }) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return { why: undefined };
    return { why: code === "ELOOP" ? "it is a link, which is not followed" : messageOf(error) };
  }
}

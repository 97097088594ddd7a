import type { RerunReport } from "../flow/deliver/task/rerun-packet.ts";
import type { PacketReport } from "../schema/packet-report.ts";
import type { Answer, CommandIo } from "./io.ts";
import { type Reader, signerWords } from "./report-words.ts";
import { table } from "./table.ts";

const TITLES = {
  pass: "PASS: the packet holds what it says",
  "pass-with-warnings": "PASS, with what nobody has shown",
  fail: "FAIL: this packet does not hold",
} as const;

/** What a verifier found in a packet, for people and programs. */
export function packetAnswer(report: PacketReport, reader: Reader): Answer {
  return { exit: report.status === "fail" ? 4 : 0, json: report, words: wordsOf(report, reader) };
}

/** The same, and what its checks come to when they are made again here. */
export async function rerunAnswer(
  path: string,
  report: PacketReport,
  io: CommandIo,
): Promise<Answer> {
  // Who only verifies loads neither a sandbox nor a runner.
  const { openRunner } = await import("./open-runner.ts");
  const { rerunPacket } = await import("../flow/deliver/task/rerun-packet.ts");
  const { SealedProver } = await import("../flow/work/sealed-prover.ts");
  const runner = await openRunner(io);
  const prover = new SealedProver(runner.scene, undefined);
  try {
    const { repository } = runner.scene;
    const onStep = (words: string) => io.err(`sworn: ${words}\n`);
    const again = await rerunPacket(path, { repository, prover, signal: io.signal, onStep });
    const words = `${wordsOf(report, { isPinned: true })}\n\n${rerunWords(again)}`;
    const json = { ...report, rerun: again };
    return { exit: again.differs.length > 0 ? 4 : 0, json, words };
  } finally {
    await prover.close();
    await runner.close();
  }
}

function wordsOf(report: PacketReport, reader: Reader): string {
  const { work, commit, packet_sha256, checks, unproven, signer } = report;
  const shown = unproven.map((one) => `- ${one}`);
  return [
    TITLES[report.status],
    `work ${work ?? "unknown"}, commit ${commit ?? "unknown"}, sha256:${packet_sha256 ?? "unknown"}`,
    "",
    table(
      ["CHECK", "STATUS", ""],
      checks.map(({ id, status, message }) => [id, status, status === "pass" ? "" : message]),
    ),
    ...(shown.length === 0 ? [] : ["", "Not proven, by its own report:", ...shown]),
    "",
    ...signerWords(signer, reader),
  ].join("\n");
}

function rerunWords({ checks, differs }: RerunReport): string {
  const rows = checks.map(({ subtask, kind, recorded, now, reason }) => [
    subtask,
    kind,
    recorded,
    now ?? "not again",
    reason,
  ]);
  const verdict =
    differs.length === 0
      ? "Made again: every check comes out as it was recorded."
      : `Made again, it differs: ${differs.join("; ")}`;
  const printed = checks.flatMap(({ subtask, kind, printed: one }) =>
    one === null ? [] : [`- ${subtask}, ${kind}: recorded "${one.recorded}", now "${one.now}"`],
  );
  const aside = printed.length === 0 ? [] : ["", "They print something else:", ...printed];
  const shown = table(["SUBTASK", "CHECK", "RECORDED", "NOW", ""], rows);
  return [shown, ...aside, "", verdict].join("\n");
}

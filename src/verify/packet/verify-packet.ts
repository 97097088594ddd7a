import { messageOf, openNote, parseVerifierKey, SwornError, sha256Hex } from "../../base/index.ts";
import type { VerificationReport } from "../../schema/index.ts";
import { PACKET_CHECKS, type PacketCheck, type PacketReport } from "../../schema/packet-report.ts";
import { NOTE_MEMBER, PACKET_MEMBER, SIGNATURE_MEMBER } from "../../schema/task-packet.ts";
import type { VerifyOptions } from "../source.ts";
import { verifyBundle } from "../verify.ts";
import { rawKeyOf, signatureProblem } from "./check-signature.ts";
import { CONTENT_CHECKS } from "./content-checks.ts";
import { openPacket } from "./open-packet.ts";
import { PacketRecord } from "./packet-record.ts";
import { membersProblem, packetNoteText, type ReadPacket, readTaskPacket } from "./read-packet.ts";

const SMALL_BYTES_MAX = 1 << 20;

/**
 * Proves a task's packet from its own bytes alone: no key, no network and no store is asked. Each
 * check needs the ones before it; after the first no the rest is not made, and is said not to be.
 *
 * @throws SwornError when the file cannot be read. What is wrong *in* it is a finding.
 */
export async function verifyPacket(path: string, options: VerifyOptions): Promise<PacketReport> {
  const found = new Map<PacketCheck, string>();
  let read: ReadPacket | undefined;
  let record: VerificationReport | null = null;
  let failed: PacketCheck | undefined;
  let unproven: readonly string[] = [];
  const steps = checksOf(path, options, (one) => {
    read = one.read ?? read;
    record = one.record ?? record;
    unproven = one.unproven ?? unproven;
  });
  try {
    for (const [check, act] of steps) {
      const problem = await act().catch(toProblem);
      found.set(check, problem ?? "");
      if (problem === undefined) continue;
      failed = check;
      break;
    }
  } finally {
    read?.packet.close();
  }
  const warned = (record as VerificationReport | null)?.status === "pass-with-warnings";
  return {
    v: 1,
    kind: "packet",
    status:
      failed !== undefined ? "fail" : warned || unproven.length > 0 ? "pass-with-warnings" : "pass",
    ...identityOf(read),
    checks: PACKET_CHECKS.map((id) => {
      const message = found.get(id);
      const status = message === undefined ? "skipped" : message === "" ? "pass" : "fail";
      return { id, status, message: message ?? `not made, because of ${failed}` };
    }),
    unproven: [...unproven],
    record,
  };
}

type Problem = string | undefined;
interface Told {
  readonly read?: ReadPacket;
  readonly record?: VerificationReport;
  readonly unproven?: readonly string[];
}

function* checksOf(
  path: string,
  options: VerifyOptions,
  tell: (told: Told) => void,
): Generator<readonly [PacketCheck, () => Promise<Problem>]> {
  const packet = openPacketOrProblem(path);
  let read: ReadPacket | undefined;
  yield [
    "packaging",
    async () => {
      if (typeof packet === "string") return packet;
      const found = readTaskPacket(packet);
      if (typeof found === "string") {
        packet.close();
        return found;
      }
      read = found;
      tell({ read });
      return undefined;
    },
  ];
  if (read === undefined) return;
  const known = read;
  yield ["members", async () => membersProblem(known)];
  yield ["signature", async () => minisignProblem(known)];
  yield [
    "record",
    async () => {
      const window = known.packet.members.get("record.tar");
      if (window === undefined) return "record.tar is missing";
      const report = await verifyBundle(path, options, window);
      tell({ record: report });
      if (report.status === "fail") return report.failures[0]?.message ?? "it does not verify";
      if (report.trace !== known.head.trace) return `it is the record of ${report.trace}`;
      // An older checkpoint vouches for a beginning of the record, and for nothing that came of it.
      if (report.state !== "completed") return `the record ends in the state ${report.state}`;
      return report.signer === known.head.signer ? undefined : `it is signed by ${report.signer}`;
    },
  ];
  yield ["note", async () => noteProblem(known)];
  yield* contentChecks(path, known, options, tell);
}

function* contentChecks(
  path: string,
  read: ReadPacket,
  options: VerifyOptions,
  tell: (told: Told) => void,
): Generator<readonly [PacketCheck, () => Promise<Problem>]> {
  let record: PacketRecord | undefined;
  const onUnproven = (unproven: readonly string[]) => tell({ unproven });
  try {
    for (const [check, act] of CONTENT_CHECKS) {
      yield [
        check,
        async () => {
          record ??= await PacketRecord.open(path, windowOf(read, "record.tar"));
          return act({ path, read, record, options, onUnproven });
        },
      ];
    }
  } finally {
    // Also when the one who asks stops at the first no: a generator is ended with its loop.
    record?.close();
  }
}

function windowOf({ packet }: ReadPacket, name: string) {
  const window = packet.members.get(name);
  if (window === undefined) throw new SwornError("BUNDLE_MALFORMED", `${name} is missing`);
  return window;
}

function openPacketOrProblem(path: string) {
  try {
    return openPacket(path);
  } catch (error) {
    if (error instanceof SwornError && error.code === "BUNDLE_MALFORMED") return error.message;
    throw error;
  }
}

function minisignProblem({ packet, head }: ReadPacket): Problem {
  const key = rawKeyOf(head.minisign);
  if (key === undefined) return "the key in packet.json is no key as minisign spells it";
  const listed = packet.read("minisign.pub", SMALL_BYTES_MAX).toString("utf8").split("\n")[1];
  if (listed !== head.minisign) return "minisign.pub is another key than the one in packet.json";
  const text = packet.read(SIGNATURE_MEMBER, SMALL_BYTES_MAX).toString("utf8");
  return signatureProblem(text, packet.read(PACKET_MEMBER, SMALL_BYTES_MAX), key);
}

/** The runtime whose record this is says of the packet that it is its own. */
function noteProblem({ packet, head, bytes }: ReadPacket): Problem {
  const note = packet.read(NOTE_MEMBER, SMALL_BYTES_MAX).toString("utf8");
  const { text } = openNote(note, parseVerifierKey(head.signer));
  return text === packetNoteText(sha256Hex(bytes)) ? undefined : "it is about another packet";
}

function toProblem(error: unknown): string {
  // Fail closed: whatever cannot be read proves nothing.
  return messageOf(error);
}

function identityOf(read: ReadPacket | undefined) {
  const head = read?.head;
  return {
    packet_sha256: read === undefined ? null : sha256Hex(read.bytes),
    work: head?.work ?? null,
    trace: head?.trace ?? null,
    commit: head?.commit ?? null,
    signer: head?.signer ?? null,
  };
}

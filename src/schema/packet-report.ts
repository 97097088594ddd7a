import * as z from "zod";
import { VerificationReport } from "./report.ts";

/** What is checked of a packet, in this order. */
export const PACKET_CHECKS = [
  "packaging",
  "members",
  "signature",
  "record",
  "note",
  "contract",
  "report",
  "proofs",
  "decisions",
  "consensus",
  "verification",
  "change",
  "statements",
] as const;
export type PacketCheck = (typeof PACKET_CHECKS)[number];

/** What a verifier says of a packet. A check that was not made is never one that passed. */
export const PacketReport = z.strictObject({
  v: z.literal(1),
  kind: z.literal("packet"),
  status: z.enum(["pass", "pass-with-warnings", "fail"]),
  packet_sha256: z.string().nullable(),
  work: z.string().nullable(),
  trace: z.string().nullable(),
  commit: z.string().nullable(),
  signer: z.string().nullable(),
  checks: z.array(
    z.strictObject({
      id: z.enum(PACKET_CHECKS),
      status: z.enum(["pass", "fail", "skipped"]),
      message: z.string(),
    }),
  ),
  /** What the work left unproven, by its own report. */
  unproven: z.array(z.string()),
  record: VerificationReport.nullable(),
});
export type PacketReport = z.infer<typeof PacketReport>;

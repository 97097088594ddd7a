import { canonicalize, decodeUtf8, messageOf, parseJson } from "../../base/index.ts";
import {
  NOTE_MEMBER,
  OPTIONAL_MEMBERS,
  PACKET_MEMBER,
  SIGNATURE_MEMBER,
  TASK_MEMBERS,
  TaskPacket,
} from "../../schema/task-packet.ts";
import type { OpenPacket } from "./open-packet.ts";

const HEAD_BYTES_MAX = 1 << 20;

/** A packet whose first member has its shape. */
export interface ReadPacket {
  readonly packet: OpenPacket;
  readonly head: TaskPacket;
  /** `packet.json` as it lies there; its hash is what the delivery is called by. */
  readonly bytes: Buffer;
}

/** What the runtime signs about a packet; nothing else that it signs begins like this. */
export function packetNoteText(digest: string): string {
  return `sworn packet v1\nsha256:${digest}\n`;
}

/** The packet's own description, or in words what is wrong with it. */
export function readTaskPacket(packet: OpenPacket): ReadPacket | string {
  try {
    const bytes = packet.read(PACKET_MEMBER, HEAD_BYTES_MAX);
    const value = parseJson(decodeUtf8(bytes), HEAD_BYTES_MAX);
    if (typeof value === "object" && value !== null && "run" in value) {
      return "it is the packet of a run; its files have signatures of their own, for minisign";
    }
    const parsed = TaskPacket.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return `packet.json: ${issue?.path.join(".")}: ${issue?.message}`;
    }
    if (!Buffer.from(canonicalize(parsed.data)).equals(bytes)) {
      return "packet.json is not in canonical form (RFC 8785)";
    }
    return { packet, head: parsed.data, bytes };
  } catch (error) {
    return messageOf(error);
  }
}

/** Whether the members are exactly those listed, in their order and with their bytes. */
export function membersProblem({ packet, head }: ReadPacket): string | undefined {
  const listed = head.members.map(({ name }) => name);
  const expected = [PACKET_MEMBER, SIGNATURE_MEMBER, NOTE_MEMBER, ...listed];
  const found = [...packet.members.keys()];
  const differs = expected.findIndex((name, at) => found[at] !== name);
  if (differs >= 0)
    return `expected the member ${expected[differs]}, found ${found[differs] ?? "no more"}`;
  if (found.length > expected.length) return `${found[expected.length]} is listed nowhere`;
  const known = [...Object.keys(TASK_MEMBERS), ...OPTIONAL_MEMBERS];
  const missing = Object.keys(TASK_MEMBERS).find((name) => !listed.includes(name));
  if (missing !== undefined) return `${missing} is missing`;
  const strange = listed.find((name) => !known.includes(name));
  if (strange !== undefined) return `${strange} is no member of a packet`;
  for (const { name, bytes, sha256 } of head.members) {
    const isSame = packet.members.get(name)?.bytes === bytes && packet.digest(name) === sha256;
    if (!isSame) return `${name} is not what packet.json says it is`;
  }
  return undefined;
}

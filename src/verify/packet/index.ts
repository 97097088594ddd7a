export { isPacket, type OpenPacket, openPacket } from "./open-packet.ts";
export { PacketRecord } from "./packet-record.ts";
export { packetNoteText, type ReadPacket, readTaskPacket } from "./read-packet.ts";
export { verifyPacket } from "./verify-packet.ts";

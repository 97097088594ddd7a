export { contentOf, HEAD_BYTES } from "./content-of.ts";
export {
  type ComparedFile,
  type MadePacket,
  makePacket,
  type PacketHead,
  packetBytes,
} from "./make-packet.ts";
export { signDetached, toMinisignKey, toMinisignKeyFile } from "./minisign.ts";
export { type SinkPlace, sinkPlace } from "./sink-place.ts";
export { type TarMember, tarOf } from "./tar-of.ts";

export { commitPatch } from "./commit-patch.ts";
export { contentOf, HEAD_BYTES } from "./content-of.ts";
export {
  type ComparedFile,
  type MadePacket,
  makePacket,
  type PacketHead,
  packetBytes,
} from "./make-packet.ts";
export { signDetached, toMinisignKey, toMinisignKeyFile } from "./minisign.ts";
export { packetPage, type ShownTask } from "./packet-page.ts";
export { pullRequestBody } from "./pull-request-body.ts";
export { signEnvelope } from "./sign-envelope.ts";
export { isNeverASink, type SinkPlace, sinkPlace } from "./sink-place.ts";
export { type TarMember, tarOf } from "./tar-of.ts";

/**
 * The bytes that a DSSE signature is over: type and payload with their lengths in front, so that
 * neither can be read as a part of the other.
 */
export function dsseBytes(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  const head = `DSSEv1 ${type.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

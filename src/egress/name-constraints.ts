/** DER of one value: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content]);
  if (size < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, size]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, size >> 8, size & 0xff]), content]);
}

const SEQUENCE = 0x30;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const PERMITTED = 0xa0;
const EXCLUDED = 0xa1;

/**
 * The value of the name-constraints extension (RFC 5280, 4.2.1.10): the authority may speak for
 * these hosts and for no address. A key that leaks is then worth no more than the run's own list.
 */
export function nameConstraints(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => der(SEQUENCE, der(DNS_NAME, Buffer.from(host, "latin1"))));
  // A network and its mask of all zeroes is every address.
  const addresses = [8, 32].map((size) => der(SEQUENCE, der(IP_ADDRESS, Buffer.alloc(size))));
  return der(SEQUENCE, der(PERMITTED, ...names), der(EXCLUDED, ...addresses));
}

import { BlockList, isIP } from "node:net";

/** Ranges that nobody's registry answers from, whatever is configured: they reach everybody or the cloud's keys. */
const NEVER = blockList([
  ["0.0.0.0", 8],
  ["169.254.169.254", 32],
  ["169.254.170.2", 32],
  ["100.100.100.200", 32],
  ["192.0.0.192", 32],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["fd00:ec2::254", 128],
  ["ff00::", 8],
]);

/** Ranges that are not the public internet; a registry may answer from one only when the user configured it. */
const PRIVATE = blockList([
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
]);

/** Global unicast is one block; what is carved out of it carries another address inside or leads nowhere. */
const PUBLIC_V6 = blockList([["2000::", 3]]);
const CARVED_V6 = blockList([
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
]);
/** Of the addresses outside global unicast, the two kinds that private networks really use. */
const PRIVATE_V6 = blockList([
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
]);

function blockList(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, bits] of ranges) list.addSubnet(net, bits, net.includes(":") ? "ipv6" : "ipv4");
  return list;
}

/**
 * Whether an address that a name resolved to may be dialled.
 *
 * @param allowPrivate the name is the user's own configured registry, which may be on their network
 */
export function isDialable(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address);
  // A zone names an interface of this machine: never an answer of a name server.
  if (family === 0 || address.includes("%")) return false;
  if (family === 4) {
    if (NEVER.check(address, "ipv4")) return false;
    return allowPrivate || !PRIVATE.check(address, "ipv4");
  }
  if (NEVER.check(address, "ipv6")) return false;
  if (PRIVATE_V6.check(address, "ipv6")) return allowPrivate;
  return PUBLIC_V6.check(address, "ipv6") && !CARVED_V6.check(address, "ipv6");
}

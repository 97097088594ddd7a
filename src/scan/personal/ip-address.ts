import { isIPv6 } from "node:net";
import { isWordAt, matchOf, type PersonalStretch } from "./personal-hit.ts";

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`${OCTET}(?:\\.${OCTET}){3}(?![\\w-]|\\.\\w)`, "y");
/** Nobody's: own machine, own network, documentation, multicast, and the servers that all name. */
const IPV4_NOBODY =
  /^(?:0|10|127)\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\.|^192\.0\.[02]\.|^198\.51\.100\.|^203\.0\.113\.|^198\.1[89]\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^(?:22[4-9]|2[3-5]\d)\.|^(?:8\.8\.[48]\.[48]|1\.[01]\.[01]\.1|9\.9\.9\.\d+|1\.2\.3\.4|208\.67\.22[02]\.22[02])$/;

/** Small numbers throughout are a section of a document or a version. */
const SECTION = /^(?:[12]?\d|3[01])(?:\.(?:[12]?\d|3[01])){3}$/;

/** An address of the public internet that starts at this digit. */
export function ipv4At(text: string, at: number): PersonalStretch | undefined {
  if (isWordAt(text, at - 1) || /[.-]/.test(text[at - 1] ?? "")) return undefined;
  const match = matchOf(IPV4, text, at);
  if (match === undefined || IPV4_NOBODY.test(match) || SECTION.test(match)) return undefined;
  if (/v(?:ersion)?\W{0,4}$/i.test(text.slice(Math.max(0, at - 12), at))) return undefined;
  return { rule: "ip-address", severity: "low", start: at, end: at + match.length };
}

/** Only what is given out to networks starts with 2 or 3; so `std::cafe` is none. */
const IPV6 = /[23][0-9a-f]{3}:[0-9a-f:]{2,36}(?![\w:.])/iy;
const IPV6_NOBODY = /^(?:2001:0?db8:|3fff:|2001:4860:4860::88|2606:4700:4700::)/i;
const GROUP_CHARS = 4;

/** An address of the public internet whose first group ends at this colon. */
export function ipv6At(text: string, at: number): PersonalStretch | undefined {
  const start = at - GROUP_CHARS;
  if (start < 0 || isWordAt(text, start - 1) || text[start - 1] === ":") return undefined;
  const match = matchOf(IPV6, text, start);
  if (match === undefined || !isIPv6(match) || IPV6_NOBODY.test(match)) return undefined;
  return { rule: "ip-address", severity: "low", start, end: start + match.length };
}

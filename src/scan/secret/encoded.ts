import type { Candidate } from "./candidate.ts";

/** How far an encoded stretch is followed from where a keyword shows in it. */
const LEFT_CHARS_MAX = 4_096;
const RIGHT_CHARS_MAX = 16_384;
/** Shorter keywords have encodings so short that they turn up by chance. */
const KEYWORD_BYTES_MIN = 4;

export type Encoding = "base64" | "hex" | "percent";

/** A keyword as it looks inside encoded text. */
export interface Needle {
  readonly text: string;
  readonly encoding: Encoding;
  /** How many characters before the needle an encoded group starts. */
  readonly lead: number;
}

/** A decoded stretch, and where each part of it came from. */
export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
  readonly start: number;
  readonly end: number;
  /** The encoded place of a decoded one; `after` for the end of a stretch. */
  place(offset: number, after: boolean): number;
}

/** The forms that a text has inside base64 (three, by where it starts), hex and percent encoding. */
export function needlesOf(keyword: string): Needle[] {
  const bytes = Buffer.from(keyword);
  if (bytes.length < KEYWORD_BYTES_MIN) return [];
  const hex = bytes.toString("hex");
  return [
    ...[0, 1, 2].flatMap((shift) => base64Needles(bytes, shift)),
    { text: hex, encoding: "hex", lead: 0 },
    { text: hex.replace(/../g, "%$&"), encoding: "percent", lead: 0 },
  ];
}

/** Only the characters that do not depend on what stands before and after. */
function base64Needles(bytes: Buffer, shift: number): Needle[] {
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  const lead = Math.ceil((shift * 8) / 6);
  const end = Math.floor((shifted.length * 8) / 6);
  const texts = [shifted.toString("base64"), shifted.toString("base64url")];
  return [...new Set(texts.map((text) => text.slice(lead, end)))].map((text) => ({
    text,
    encoding: "base64",
    lead,
  }));
}

/** Signs that matter to a rule and that addresses carry encoded: `:`, `=`, `/`, a blank, a quote. */
export const PERCENT_SIGNS: readonly Needle[] = ["%3A", "%3D", "%2F", "%20", "%22"].map((text) => ({
  text,
  encoding: "percent",
  lead: 0,
}));

/** Decodes the stretch around a needle, one level and no more. */
export function decodeAround(text: string, at: number, needle: Needle): Decoded {
  if (needle.encoding === "percent") return decodePercent(text, at);
  const [group, bytes] = needle.encoding === "base64" ? [4, 3] : [2, 1];
  const belongs = needle.encoding === "base64" ? isBase64 : isHex;
  const [left, right] = stretch(text, at, belongs);
  const first = at - needle.lead;
  const start = first - Math.floor((first - left) / group) * group;
  const decoded = Buffer.from(text.slice(start, right), needle.encoding).toString("latin1");
  return {
    text: decoded,
    encoding: needle.encoding,
    start,
    end: right,
    place: (offset, after) => {
      const groups = after ? Math.ceil(offset / bytes) : Math.floor(offset / bytes);
      return Math.min(right, start + groups * group);
    },
  };
}

function decodePercent(text: string, at: number): Decoded {
  const [start, end] = stretch(text, at, isAddress);
  const places: number[] = [];
  let decoded = "";
  for (let here = start; here < end; ) {
    places.push(here);
    const code = text.charCodeAt(here) === 37 ? text.slice(here + 1, here + 3) : "";
    const isCode = /^[0-9A-Fa-f]{2}$/.test(code);
    decoded += isCode ? String.fromCharCode(Number.parseInt(code, 16)) : text[here];
    here += isCode ? 3 : 1;
  }
  return {
    text: decoded,
    encoding: "percent",
    start,
    end,
    place: (offset) => places[offset] ?? end,
  };
}

function stretch(text: string, at: number, belongs: (code: number) => boolean): [number, number] {
  let left = at;
  while (left > 0 && at - left < LEFT_CHARS_MAX && belongs(text.charCodeAt(left - 1))) left -= 1;
  let right = at;
  while (right < text.length && right - at < RIGHT_CHARS_MAX && belongs(text.charCodeAt(right))) {
    right += 1;
  }
  return [left, right];
}

const BASE64 = /[A-Za-z0-9+/_-]/;
const HEX = /[0-9A-Fa-f]/;
const ADDRESS = /[^\s"'`<>]/;
const asTable = (pattern: RegExp): readonly boolean[] =>
  Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code)));
const [base64Table, hexTable, addressTable] = [BASE64, HEX, ADDRESS].map(asTable);
const isBase64 = (code: number): boolean => base64Table?.[code] ?? false;
const isHex = (code: number): boolean => hexTable?.[code] ?? false;
const isAddress = (code: number): boolean => addressTable?.[code] ?? false;

/** A candidate that was found in decoded text, at its place in the text as it stands. */
export function placed(candidate: Candidate, decoded: Decoded, text: string): Candidate {
  const start = decoded.place(candidate.start, false);
  const end = decoded.place(candidate.end, true);
  const isPlain = text.slice(start, end) === candidate.value;
  return {
    ...candidate,
    description: `${candidate.description}${isPlain ? "" : `, ${decoded.encoding}-encoded`}`,
    matchStart: decoded.place(candidate.matchStart, false),
    start,
    end,
  };
}

/** How many different answers `alignmentOf` has. */
export const ALIGNMENTS = 7;

/** Stretches that are decoded alike: the same encoding, its groups starting at the same places. */
export function alignmentOf({ encoding, lead }: Needle, at: number): number {
  if (encoding === "base64") return (at - lead) & 3;
  return encoding === "hex" ? 4 + (at & 1) : 6;
}

import { isUtf8 } from "node:buffer";

/** So much of a file is looked at to tell how its text is encoded. */
const SAMPLE_BYTES = 4_096;
/** Of the bytes at every second place so many are zero in UTF-16 of western text. */
const ZERO_SHARE_MIN = 0.4;

/**
 * The readings of bytes that a search has to look at. Whoever wants to hide a token writes it as
 * UTF-16, so that no two of its letters stand side by side.
 */
export function textsOf(bytes: Buffer): string[] {
  const plain = isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
  if (!bytes.includes(0)) return [plain];
  const wide = wideOrder(bytes);
  if (wide === undefined) return [plain, ...wideRuns(bytes.toString("latin1"))];
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const little = wide === "little" ? even : Buffer.from(even).swap16();
  return [plain, little.toString("utf16le")];
}

/** Stretches of UTF-16 within something else, of either order, a line each. */
function wideRuns(text: string): string[] {
  const orders = [/(?:[\t\n\r -~]\0){8,100000}/g, /(?:\0[\t\n\r -~]){8,100000}/g];
  const runs = orders.map((order) => (text.match(order) ?? []).join("\n").replaceAll("\0", ""));
  return runs.filter((run) => run !== "");
}

function wideOrder(bytes: Buffer): "little" | "big" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "little";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "big";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const most = (sample.length / 2) * ZERO_SHARE_MIN;
  if (zerosFrom(sample, 1) > most) return "little";
  return zerosFrom(sample, 0) > most ? "big" : undefined;
}

/** How many zero bytes stand at every second place. */
function zerosFrom(sample: Buffer, first: number): number {
  let zeros = 0;
  for (let at = first; at < sample.length; at += 2) if (sample[at] === 0) zeros += 1;
  return zeros;
}

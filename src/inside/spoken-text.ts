import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { type InsideIo, type InsideWords, Misused, textOf } from "./inside-command.ts";

const TEXT_BYTES_MAX = 1 << 20;

/** The text of a command: its words, a file of the sandbox, or standard input. */
export async function spokenText(words: InsideWords, io: InsideIo): Promise<string> {
  const file = textOf(words, "file");
  const isSaid = words.rest.length > 0;
  if ((file !== undefined) === isSaid) {
    throw new Misused(`expected a text or --file, found ${isSaid ? "both" : "neither"}`);
  }
  if (file === undefined) return words.rest.join(" ");
  const text = file === "-" ? await readInput(io) : readText(file);
  const trimmed = text.replace(/\r?\n$/, "");
  if (trimmed !== "") return trimmed;
  throw new Misused(`${file === "-" ? "standard input" : file} holds no text`);
}

/** A file as text; one that is too long for the runtime is not sent. */
export function readText(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    if (size > TEXT_BYTES_MAX) {
      throw new Misused(`${path} has ${size} bytes, expected at most ${TEXT_BYTES_MAX}`);
    }
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

export async function readInput({ input }: InsideIo): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of input as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > TEXT_BYTES_MAX)
      throw new Misused(`expected at most ${TEXT_BYTES_MAX} bytes of text`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

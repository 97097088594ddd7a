import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { readPlainFile, SwornError } from "../../base/index.ts";
import { extractResponse, RESPONSE_BYTES_MAX } from "../../flow/extract/extract-response.ts";
import { extractionWords } from "../extraction-words.ts";
import type { Answer, Io } from "../io.ts";
import { readInput } from "../read-input.ts";

export const Arguments = z.strictObject({
  response: z.string().min(1),
  out: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const response = await read(args.response, io);
  const folder = args.out === undefined ? undefined : resolve(io.cwd, args.out);
  const extraction = extractResponse(response, folder);
  const files = extraction.files.map(({ path, bytes, sha256, lines, form }) => ({
    path,
    bytes,
    sha256,
    lines,
    form,
  }));
  return {
    exit: extraction.refused.length > 0 ? 3 : 0,
    json: { files, refused: extraction.refused },
    words: extractionWords(extraction, args.out),
    isAnswered: true,
  };
}

async function read(response: string, io: Io): Promise<Uint8Array> {
  if (response !== "-") return readResponse(response, io);
  return readInput(io, RESPONSE_BYTES_MAX, "a response");
}

function readResponse(response: string, io: Io): Uint8Array {
  const path = resolve(io.cwd, response);
  if (existsSync(path)) return readPlainFile(path, RESPONSE_BYTES_MAX);
  throw new SwornError("NOT_FOUND", `there is no file ${response}: expected a response`);
}

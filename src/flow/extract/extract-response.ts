import { existsSync, realpathSync, statSync } from "node:fs";
import { ensureFolder, SwornError } from "../../base/index.ts";
import { type Extraction, extractFiles, writeFiles } from "../../run/extract/index.ts";

/** The longest response that is read. */
export const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Takes the whole files out of a response and, where a folder is given, writes them below it. What
 * is refused does not keep the others from being written; the outcome says which is which.
 *
 * @throws SwornError `INPUT_INVALID` when the response is no text, `LIMIT_EXCEEDED` when it is too long.
 */
export function extractResponse(response: Uint8Array, folder?: string): Extraction {
  const extraction = extractFiles(decode(response));
  if (folder === undefined) return extraction;
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new SwornError("INPUT_INVALID", `${folder} is no folder; expected one to write files to`);
  }
  ensureFolder(folder);
  // Which folder it is, is the caller's choice, links and all; below it no link is followed.
  const { written, refused } = writeFiles(realpathSync(folder), extraction.files);
  const all = [...extraction.refused, ...refused];
  return {
    ...extraction,
    files: written,
    refused: all.toSorted((one, other) => one.lines[0] - other.lines[0]),
  };
}

function decode(response: Uint8Array): string {
  if (response.length > RESPONSE_BYTES_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `the response has ${response.length} bytes, expected at most ${RESPONSE_BYTES_MAX}`,
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(response);
  } catch (cause) {
    throw new SwornError("INPUT_INVALID", "the response is not UTF-8; expected text", { cause });
  }
}

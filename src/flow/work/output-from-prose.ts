import { extractFiles } from "../../run/extract/index.ts";
import type { Extract } from "./collect-left.ts";

/** The output file out of an answer in prose, where it is there whole and once; else there is none. */
export const outputFromProse: Extract = async (words, { output }) => {
  const [only, ...more] = extractFiles(words).files.filter(
    ({ path }) => path === output || path.endsWith(`/${output}`),
  );
  if (only === undefined || more.length > 0) return undefined;
  return { path: output, bytes: Buffer.from(only.content) };
};

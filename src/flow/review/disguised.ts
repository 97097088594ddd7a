import type { BlobReader } from "../../repo/index.ts";
import { isMadeByText, isVendored } from "../../scan/kind/index.ts";
import type { Gap } from "../../schema/review.ts";
import { readText, type SubjectFile } from "./subject.ts";

/** How many files are opened to see whether their names tell the truth. */
const OPENED_MAX = 500;
const NAMED_MAX = 20;
const NAME_CHARS_MAX = 80;

/** What a change brings under names that keep reviewers away. */
export interface Disguised {
  /** Called generated or minified, and neither by its text: those who look for harm read it all the same. */
  readonly doubted: readonly SubjectFile[];
  readonly gaps: readonly Gap[];
}

/**
 * Looks into new source that is passed over for its name alone. A name is its author's word: who
 * wants no reviewer calls a file `x.min.js`, or puts it into `vendor/`.
 */
export async function findDisguised(
  files: readonly SubjectFile[],
  blobs: BlobReader,
): Promise<Disguised> {
  const plain: SubjectFile[] = [];
  for (const file of files.slice(0, OPENED_MAX)) {
    const read = await readText(blobs, file);
    if ("text" in read && isMadeByText(file.path, read.text) === undefined) plain.push(file);
  }
  const isForeign = ({ path }: SubjectFile) => isVendored(path) !== undefined;
  const foreign = plain.filter(isForeign);
  const doubted = plain.filter((file) => !isForeign(file));
  const unopened = files.slice(OPENED_MAX);
  return {
    doubted,
    gaps: [
      ...gapOf(doubted, "called generated, but no machine's by the text: only security looked"),
      ...gapOf(foreign, "new in a folder of other people's code: nobody looked"),
      ...gapOf(unopened, "new, passed over for the name, and not opened: nobody looked"),
    ],
  };
}

function gapOf(files: readonly SubjectFile[], why: string): Gap[] {
  if (files.length === 0) return [];
  const names = files
    .slice(0, NAMED_MAX)
    .map(({ path }) => path.toWellFormed().slice(-NAME_CHARS_MAX));
  const more = files.length > NAMED_MAX ? ` and ${files.length - NAMED_MAX} more` : "";
  const count = files.length === 1 ? "1 source file" : `${files.length} source files`;
  return [{ what: count, why: `${why}: ${names.join(", ")}${more}` }];
}

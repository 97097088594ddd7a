import { readCommitFile } from "./commit-file.ts";
import { type Heading, headingsOf } from "./headings.ts";
import { fail, pass, quoted, unproven } from "./outcome.ts";
import type { Prove } from "./scene.ts";

const DOCUMENT_CHARS_MAX = 2_000_000;
const HEADINGS_SHOWN = 50;

/** A document has these sections, in this order; others may stand between them. */
export const proveSections: Prove<"sections"> = async (proof, { repository, after }) => {
  const { path, headings } = proof;
  const file = await readCommitFile(repository, after, path);
  if (file.state === "absent") return fail(proof, `expected ${path}, found no such file`);
  if (file.state === "unread") return unproven(proof, file.why);
  if (file.text.length > DOCUMENT_CHARS_MAX) {
    return unproven(proof, `${path} has more than ${DOCUMENT_CHARS_MAX} characters`);
  }
  const found = await headingsOf(file.text);
  if (found === undefined) return unproven(proof, `${path} took too long to read and was given up`);
  const missing = firstMissing(headings, found);
  const shown = found.slice(0, HEADINGS_SHOWN).map(written).join("\n");
  if (missing === undefined) {
    return pass(proof, `${path} has all ${headings.length} sections in order`, shown);
  }
  const before = headings[missing - 1];
  const where = before === undefined ? "" : ` after ${quoted(before)}`;
  const what = `the section ${quoted(headings[missing] ?? "")}${where}`;
  return fail(
    proof,
    `expected ${what} in ${path}, found ${found.length} headings without it`,
    shown,
  );
};

/** The number of the first heading that does not come in its turn. */
function firstMissing(wanted: readonly string[], found: readonly Heading[]): number | undefined {
  let from = 0;
  for (const [at, one] of wanted.entries()) {
    const next = found.findIndex((heading, index) => index >= from && isIt(heading, one));
    if (next < 0) return at;
    from = next + 1;
  }
  return undefined;
}

/** With leading number signs the depth counts too. */
function isIt(heading: Heading, wanted: string): boolean {
  const [, marks = "", text = ""] = /^(#{0,6})\s{0,100}(.*)$/s.exec(wanted) ?? [];
  const isDepth = marks === "" || heading.depth === marks.length;
  return isDepth && plain(heading.text) === plain(text);
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

function written({ depth, text }: Heading): string {
  return `${"#".repeat(depth)} ${plain(text) === "" ? "" : text}`.slice(0, 200);
}

import { canonicalize, messageOf, parseJson } from "../../base/index.ts";
import { readCommitFile } from "./commit-file.ts";
import { followPointer } from "./json-pointer.ts";
import { fail, pass, quoted, unproven } from "./outcome.ts";
import type { Prove } from "./scene.ts";

const DOCUMENT_BYTES_MAX = 16 * (1 << 20);

/** One place of a JSON document holds exactly a value. */
export const proveJson: Prove<"json"> = async (proof, { repository, after }) => {
  const { path, pointer } = proof;
  const file = await readCommitFile(repository, after, path);
  if (file.state === "absent") return fail(proof, `expected ${path}, found no such file`);
  if (file.state === "unread") return unproven(proof, file.why);
  const document = tryParse(file.text);
  if ("why" in document) return fail(proof, `${path} is not strict JSON: ${document.why}`);
  const place = followPointer(document.value, pointer);
  const expected = canonicalize(proof.equals);
  const where = pointer === "" ? path : `${path} at ${pointer}`;
  if (!place.found) {
    const end = place.upTo === "" ? "the document itself" : place.upTo;
    return fail(proof, `expected ${quoted(expected)} in ${where}; it leads no further than ${end}`);
  }
  const found = canonicalize(place.value);
  return found === expected
    ? pass(proof, `${where} is ${quoted(expected)}`)
    : fail(proof, `expected ${quoted(expected)} in ${where}, found ${quoted(found)}`);
};

function tryParse(text: string): { value: ReturnType<typeof parseJson> } | { why: string } {
  try {
    return { value: parseJson(text, DOCUMENT_BYTES_MAX) };
  } catch (error) {
    // Two readers could take such a document differently, so that no value stands in it.
    return { why: messageOf(error) };
  }
}

import { addedBetween, type ChangedLines } from "./changed-lines.ts";
import { fail, pass, quoted } from "./outcome.ts";
import type { Prove } from "./scene.ts";

const LINES_SHOWN = 20;

/** The work adds a text, or takes it away. What it leaves as it was does not count. */
export const proveDiff: Prove<"diff"> = async (proof, { repository, before, after }) => {
  const { path, contains, side } = proof;
  const [from, to] = side === "added" ? [before, after] : [after, before];
  const parts = await addedBetween(repository, from, to, path);
  const wanted = contains.replaceAll("\r\n", "\n");
  const found = parts.find(({ lines }) => textOf(lines).includes(wanted));
  const what = `${side} lines${path === undefined ? "" : ` of ${path}`}`;
  if (found !== undefined) {
    const place = `${found.path} from line ${found.from} on`;
    return pass(proof, `${quoted(contains)} is in the ${what}: ${place}`, shown(found));
  }
  const count = parts.reduce((sum, { lines }) => sum + lines.length, 0);
  return fail(proof, `expected ${quoted(contains)} in the ${what}, found ${count} without it`);
};

function textOf(lines: readonly string[]): string {
  return lines.join("\n").replaceAll("\r\n", "\n");
}

function shown({ lines }: ChangedLines): string {
  return lines.slice(0, LINES_SHOWN).join("\n");
}

const WORD_CHARS_MAX = 64;
/** A shorter word is contained in too many others to mean any of them. */
const PART_CHARS_MIN = 3;

/** The candidate that somebody who wrote `word` most likely meant; undefined when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > WORD_CHARS_MAX) return undefined;
  const wanted = word.toLowerCase();
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase()) }))
    .filter((one) => one.distance <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.candidate ?? candidates.find((candidate) => shareAPart(wanted, candidate));
}

/** `text` for `claim_text`: a part that stands between separators. */
function shareAPart(word: string, candidate: string): boolean {
  const isPart = (part: string, whole: string) =>
    part.length >= PART_CHARS_MIN && whole.split(/[._\s-]/).includes(part);
  return isPart(word, candidate) || isPart(candidate, word);
}

/** How many letters must be added, taken away, exchanged or swapped with their neighbour. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const at = (list: readonly number[], index: number) =>
        list[index] ?? Number.POSITIVE_INFINITY;
      const exchanged = at(row, j - 1) + Number(one[i - 1] !== other[j - 1]);
      const swapped = isSwap(one, i, other, j) ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      next[j] = Math.min(at(row, j) + 1, at(next, j - 1) + 1, exchanged, swapped);
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

function isSwap(one: string, i: number, other: string, j: number): boolean {
  return i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
}

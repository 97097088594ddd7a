/** So many sentences in a row are the prompt's, and no coincidence. */
const ROW_MIN = 3;
/** A prompt that repeats itself is looked at so often for each sentence. */
const PLACES_MAX = 20;

/**
 * Which sentences repeat a prompt, by their number: several of it in its order, or all of it. A single one is a
 * report, in whatever words: otherwise what is asked for could be said to be done without being looked at.
 */
export function echoesIn(
  sentences: readonly string[],
  prompt: readonly string[],
): ReadonlySet<number> {
  const places = new Map<string, number[]>();
  for (const [at, one] of prompt.entries()) {
    const known = places.get(one) ?? [];
    if (known.length < PLACES_MAX) places.set(one, [...known, at]);
  }
  const needed = Math.min(ROW_MIN, prompt.length);
  const echoes = new Set<number>();
  /** How many sentences in a row, up to the last one, are the prompt's up to a place in it. */
  let rows: ReadonlyMap<number, number> = new Map();
  for (const [at, sentence] of sentences.entries()) {
    const known = places.get(sentence) ?? [];
    const before = rows;
    rows = new Map(known.map((place) => [place, (before.get(place - 1) ?? 0) + 1]));
    // Those before a longer row's last were added when it was shorter.
    if (Math.max(0, ...rows.values()) < needed) continue;
    for (let back = 0; back < needed; back += 1) echoes.add(at - back);
  }
  return echoes;
}

/** What steers a terminal, and what looks like nothing: an invisible letter makes another word. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Text from records and scripts is somebody else's: what could move a cursor or turn the reading
 * direction is shown as an escape, which in JSON still means the same character.
 */
export function harmless(text: string): string {
  return text.replace(UNSEEN, (character) => (character === "\n" ? character : escaped(character)));
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

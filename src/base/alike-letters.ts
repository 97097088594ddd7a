/** Letters of other alphabets in the order of the ones of ours that they look like. */
const FOREIGN = "аеорсухіѕјѵԁһԛԝοαενικρτυ";
const LATIN = "aeopcyxisjvdhqwoaevikptu";
const FOREIGN_LARGE = "АВЕКМНОРСТУХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
const LATIN_LARGE = "ABEKMHOPCTYXISJABEZHIKMNOPTYX";
const ALIKE = new RegExp(`[${FOREIGN}${FOREIGN_LARGE}]`, "u");
const ALIKES = new RegExp(`[${FOREIGN}${FOREIGN_LARGE}]`, "gu");
const FOLDED: ReadonlyMap<string, string> = new Map(
  [...(FOREIGN + FOREIGN_LARGE)].map((letter, at) => [letter, (LATIN + LATIN_LARGE)[at] ?? letter]),
);

/** A text with letters of other alphabets that look like ours taken for ours: for searching, never for showing. */
export function foldAlike(text: string): string {
  return ALIKE.test(text)
    ? text.replaceAll(ALIKES, (letter) => FOLDED.get(letter) ?? letter)
    : text;
}

/** Whether a text has no letter outside of ASCII, which is most texts: what only those have need not be looked for. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

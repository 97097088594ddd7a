/** Drawn over what stands before them. */
const ZERO_WIDE = /^[\p{Mn}\p{Me}]$/u;
/** Half of a flag: two of them are as wide as one picture. */
const FLAG_HALF = /^\p{Regional_Indicator}$/u;
/** Drawn in two columns by terminals: East Asian scripts, full-width forms, pictures. */
const TWO_WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u;
const ELLIPSIS = "…";

function characterWidth(character: string): number {
  if (character >= " " && character <= "~") return 1;
  if (ZERO_WIDE.test(character)) return 0;
  if (FLAG_HALF.test(character)) return 1;
  return TWO_WIDE.test(character) ? 2 : 1;
}

/** How many columns of a terminal a line takes; expects a text without hidden characters. */
export function displayWidth(line: string): number {
  let width = 0;
  for (const character of line) width += characterWidth(character);
  return width;
}

/** A line cut to a number of columns; what is missing shows as an ellipsis. */
export function fitted(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line;
  let [kept, width] = ["", 0];
  for (const character of line) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? "" : `${kept}${ELLIPSIS}`;
}

/** A line filled with spaces up to a number of columns. */
export function padded(line: string, columns: number): string {
  return line + " ".repeat(Math.max(0, columns - displayWidth(line)));
}

/** Prose broken between words into lines of at most so many columns. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > columns) lines.push(line);
    line = line !== "" && displayWidth(longer) > columns ? word : longer;
  }
  return [...lines, line].map((each) => fitted(each, columns));
}

/**
 * What changes how a text reads without being seen: controls, bidirectional overrides, joiners,
 * fillers, line separators, halves of surrogate pairs. Line feeds and tabs are left to the caller.
 */
const HIDDEN =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** A request for the coloured form of a pictograph: harmless, common, and of no fixed width. */
const PICTOGRAPH_STYLE = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/gu;
const STYLED_OR_HIDDEN = new RegExp(`(${PICTOGRAPH_STYLE.source})|${HIDDEN.source}`, "gu");
const BLANK = "(blank)";

/** How a hidden character is written out; the page uses the pattern to mark it. */
export const WRITTEN_OUT = /⟦U\+[0-9A-F]{4,6}⟧/g;

function writeOut(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟦U+${code}⟧`;
}

/**
 * A hostile text as it may be shown: every hidden character is written out, so that a text cannot
 * steer a terminal, reverse its own reading order or look like another. Keeps lines and tabs.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(PICTOGRAPH_STYLE, "").replace(HIDDEN, writeOut);
}

/** Source as it may be shown. Nothing is left out, so that it can be found again by what is shown. */
export function visibleSource(text: string): string[] {
  return text
    .replaceAll("\r\n", "\n")
    .replace(STYLED_OR_HIDDEN, (one, style?: string) => style ?? writeOut(one))
    .split("\n");
}

/** A hostile text as lines; there is always one. */
export function visibleLines(text: string): string[] {
  return visibleText(text).split("\n");
}

/** A runner of continuous integration obeys `##[…` and `##vso[…` anywhere in a line it is shown. */
export function defused(text: string): string {
  return text.replace(/##(?=\[|vso\[)/gi, "# #");
}

/** Prose on one line: white space of any kind becomes one space. Never empty. */
export function oneLine(text: string): string {
  const line = visibleText(text).replace(/\s+/g, " ").trim();
  return line === "" ? BLANK : line;
}

/**
 * A name, such as a path, on one line. White space belongs to a name, so it is shown and not folded;
 * at its ends nobody would see it, so there it is written out.
 */
export function visibleName(name: string): string {
  const line = visibleText(name);
  const start = line.length - line.trimStart().length;
  const end = Math.max(start, line.trimEnd().length);
  const shown = [
    ...[...line.slice(0, start)].map(writeOut),
    line.slice(start, end).replace(/[\n\t]/g, writeOut),
    ...[...line.slice(end)].map(writeOut),
  ].join("");
  return shown === "" ? BLANK : shown;
}

const WORD_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether a UTF-16 code unit can be part of a name. Beyond ASCII all can: no language is left out. */
export function isWordCode(code: number): boolean {
  return code > 127 || WORD_CODES[code] === 1;
}

/** Whether a name stands in a text as a word of its own. */
export function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length;
    const isOpen = at > 0 && isWordCode(text.charCodeAt(at - 1));
    const isContinued = end < text.length && isWordCode(text.charCodeAt(end));
    if (!isOpen && !isContinued) return true;
  }
  return false;
}

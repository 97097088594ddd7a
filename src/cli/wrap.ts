/** Words in lines of so many columns at most; a longer word keeps a line to itself, and can be copied. */
export function wrap(words: readonly string[], columns: number, indent = ""): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(last === undefined ? word : `${indent}${word}`);
  }
  return lines;
}

export const wordsOf = (text: string): readonly string[] => text.split(" ");

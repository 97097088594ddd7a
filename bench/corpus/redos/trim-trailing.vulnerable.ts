/** Removes white space around each line of a text. */
export function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+$/, '')) // sink: redos
    .join('\n');
}

const PLURALS: Readonly<Record<string, string>> = {
  entry: "entries",
  policy: "policies",
  try: "tries",
};

/** A number with its noun: `1 line`, `2 lines`, `0 entries`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : (PLURALS[noun] ?? `${noun}s`)}`;
}

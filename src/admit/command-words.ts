/** A word that is no option, and whether it may belong to the option before it. */
interface Operand {
  readonly word: string;
  readonly at: number;
  readonly isMaybeValue: boolean;
}

/** The name of a program: without its folder, its version as package runners write it, its ending. */
export function programName(word: string): string {
  const base = word.slice(word.lastIndexOf("/") + 1);
  const version = base.indexOf("@", 1);
  return (version < 0 ? base : base.slice(0, version)).replace(/\.(exe|cmd|bat)$/i, "");
}

/**
 * The words that are no options. Which options take a value is not known for every program, so a
 * word right behind an option is taken both ways.
 */
export function operandsOf(args: readonly string[]): Operand[] {
  return args.flatMap((word, at) => {
    if (isOption(word)) return [];
    const before = args[at - 1] ?? "";
    const isMaybeValue = isOption(before) && before !== "--" && !before.includes("=");
    return [{ word, at, isMaybeValue }];
  });
}

/** Whether the words `s3 cp` begin what a program is told to do, whatever options stand between. */
export function hasSubcommand(args: readonly string[], subcommand: string): boolean {
  const operands = operandsOf(args);
  let from = 0;
  for (const wanted of subcommand.split(" ")) {
    const found = findNext(operands, from, wanted);
    if (found === undefined) return false;
    from = found + 1;
  }
  return true;
}

function findNext(operands: readonly Operand[], from: number, wanted: string): number | undefined {
  for (let at = from; at < operands.length; at += 1) {
    const operand = operands[at];
    if (operand?.word === wanted) return at;
    if (!operand?.isMaybeValue) return undefined;
  }
  return undefined;
}

export function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

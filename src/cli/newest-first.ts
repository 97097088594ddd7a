const SHOWN_MAX = 20;

/** A list as a person looks at it: the newest first, and no more than fit on a screen unless all are asked for. */
export function newestFirst<T>(
  oldestFirst: readonly T[],
  { all, isInner = () => false }: { readonly all: boolean; readonly isInner?: (one: T) => boolean },
): { readonly shown: readonly T[]; readonly more: string } {
  const fitting = all ? oldestFirst : oldestFirst.filter((one) => !isInner(one));
  const shown = fitting.toReversed().slice(0, all ? undefined : SHOWN_MAX);
  const left = oldestFirst.length - shown.length;
  return { shown, more: left === 0 ? "" : `\nand ${left} more; --all shows them` };
}

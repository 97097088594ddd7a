/** How far numbers can be apart before the later one must be the smaller: half of the least `pid_max`. */
const WRAP = 16_384;

/**
 * Says which process was which birth. A parent in the sandbox is told the child's number in there,
 * while strace tells that of the host; asking the kernel for each pair would take longer than most
 * programs run. But both numbers are given out in the same moment and in rising order, so the
 * first is the first. Where they cannot be lined up nothing is said: undefined.
 *
 * @param pids Of the host, as they came up: nearly in order, and starting anew when they run out.
 * @param inner What the parents were told, in any order.
 */
export function matchBirths(
  pids: readonly number[],
  inner: readonly number[],
): ReadonlyMap<number, number> | undefined {
  const isDoubtful =
    pids.length !== inner.length ||
    new Set(inner).size !== inner.length ||
    inner.some((one) => one >= WRAP);
  if (isDoubtful) return undefined;
  const byAge = agesOf(pids)
    .map((age, at) => ({ age, at }))
    .toSorted((a, b) => a.age - b.age);
  const births = inner
    .map((number, at) => ({ number, at }))
    .toSorted((a, b) => a.number - b.number);
  return new Map(births.map((birth, rank) => [birth.at, byAge[rank]?.at ?? -1]));
}

/** Numbers that rise for ever, whatever the kernel does when it runs out of them. */
function agesOf(pids: readonly number[]): number[] {
  let [round, latest] = [0, 0];
  return pids.map((pid) => {
    if (pid < latest - WRAP) {
      round += 1;
      latest = pid;
    }
    const isLate = round > 0 && pid > latest + WRAP;
    if (!isLate) latest = Math.max(latest, pid);
    return (isLate ? round - 1 : round) * Number(2 ** 32) + pid;
  });
}

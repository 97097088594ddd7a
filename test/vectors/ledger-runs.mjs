/**
 * A bundle at the limit of some size is mostly one byte over and over. It is stored without its
 * long runs; the index says where they belong.
 */
const RUN_BYTES_MIN = 4_096;

/** The bundle without its long runs of one byte, and those runs by their places in the bundle. */
export function withoutRuns(bundle) {
  const kept = [];
  const runs = [];
  let from = 0;
  for (let at = 0; at < bundle.length; ) {
    let end = at + 1;
    while (end < bundle.length && bundle[end] === bundle[at]) end += 1;
    if (end - at >= RUN_BYTES_MIN) {
      kept.push(bundle.subarray(from, at));
      runs.push({ at, byte: bundle[at], count: end - at });
      from = end;
    }
    at = end;
  }
  return { stored: Buffer.concat([...kept, bundle.subarray(from)]), runs };
}

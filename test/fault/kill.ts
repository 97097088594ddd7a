import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { start } from "../fake/child.ts";
import {
  APPEND_CHILD,
  acksIn,
  expectAcknowledged,
  expectSound,
  expectToGoOn,
  linesOf,
  smallProject,
} from "./project.ts";
import { seeded } from "./seed.ts";

/** The child appends more than it gets the time for. */
const GROUPS_MAX = 2_000;
/** How long it is left alone: so many groups, and then a moment in the midst of the next. */
const GROUPS_SEEN = 4;
const STARTING_MS = 150;
const APPENDING_MS = 12;

/** Kills a writer again and again at moments it cannot choose, in one trace that grows meanwhile. */
export async function survivesKills(rounds: number): Promise<void> {
  const { seed, below } = seeded();
  const project = await smallProject();
  let [acknowledged, late] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const before = linesOf(project).length;
    const groupSize = round % 2 === 0 ? 1 : 8;
    const child = start(process.execPath, [
      APPEND_CHILD,
      ...[project.store, project.state, project.trace, `round-${round}`],
      ...[String(GROUPS_MAX), String(groupSize), "yes"],
    ]);
    // Now and then while it starts and opens the trace, otherwise while it appends.
    if (below(5) === 0) await wait(below(STARTING_MS));
    else {
      // By their number: what a killed commit left may come to light with the first of them.
      await child.said("ack ", below(GROUPS_SEEN) + 1);
      await wait(below(APPENDING_MS));
    }
    child.process.kill("SIGKILL");
    const { signal, out, err } = await child.ended;
    const what = `seed ${seed}, round ${round}\n${out.slice(-2_000)}\n${err}`;
    expect(signal, what).toBe("SIGKILL");
    const acks = acksIn(out);
    acknowledged += acks.length;
    const lines = linesOf(project);
    expect(() => expectAcknowledged(lines, acks), what).not.toThrow();
    // At most the group that was under way is there beyond what was acknowledged, and all of it. A
    // commit that was killed before SQLite had indexed it may come to light one round later.
    const beyond = lines.length - (acks.at(-1)?.size ?? before);
    expect([0, groupSize, late, late + groupSize], what).toContain(beyond);
    late = groupSize;
    await expectSound(project).catch((cause) => {
      throw new Error(what, { cause });
    });
  }
  expect(acknowledged).toBeGreaterThan(rounds / 2);
  await expectToGoOn(project);
}

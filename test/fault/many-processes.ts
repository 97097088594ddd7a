import { expect } from "vitest";
import { run } from "../fake/child.ts";
import {
  APPEND_CHILD,
  acksIn,
  expectAcknowledged,
  expectSound,
  expectToGoOn,
  linesOf,
  smallProject,
  textsOf,
} from "./project.ts";

/** Lets several processes append to one trace at once; nobody's entry may be lost, doubled or torn off. */
export async function appendTogether(processes: number, appends: number): Promise<void> {
  const project = await smallProject();
  const names = Array.from({ length: processes }, (_, index) => `writer-${index}`);
  const ended = await Promise.all(
    names.map((name) =>
      run(process.execPath, [
        APPEND_CHILD,
        ...[project.store, project.state, project.trace, name, String(appends), "1", "no"],
      ]),
    ),
  );
  for (const { code, out, err } of ended) expect(code, out.slice(-500) + err).toBe(0);
  const expected = names.flatMap((name) =>
    Array.from({ length: appends }, (_, counter) => `${name} ${counter}`),
  );
  expect(textsOf(project).toSorted()).toEqual(expected.toSorted());
  // Each process got an acknowledgement of its own for each entry: no two hold the same place.
  const acks = ended.flatMap(({ out }) => acksIn(out));
  expect(new Set(acks.map(({ size }) => size)).size).toBe(processes * appends);
  expectAcknowledged(linesOf(project), acks);
  await expectSound(project);
  await expectToGoOn(project);
}

/** What each process wrote, in the order in which it stands in the trace. */
export function ownTexts(texts: readonly string[], name: string): string[] {
  return texts.filter((text) => text.startsWith(`${name} `));
}

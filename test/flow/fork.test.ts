import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../../src/flow/place.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { message } from "./requests.ts";
import { Stage } from "./stage.ts";

const placeIn = (folder: string): Place =>
  new Place({ store: join(folder, "project", ".sworn"), state: join(folder, "state") });

/** A trace that was copied with all its keys, and went on differently in both places. */
async function forked(here: number, there: number) {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  const stage = await Stage.at("planning", {}, placeIn(one));
  stage.close();
  cpSync(one, other, { recursive: true });
  const goOn = async (folder: string, word: string, count: number) => {
    const place = placeIn(folder);
    const writer = new Stage(place, Recorder.resume(place, stage.id));
    for (let number = 0; number < count; number += 1)
      await writer.accept(message(`${word} ${number}`));
    writer.close();
    return place;
  };
  const place = await goOn(one, "here", here);
  const foreign = await goOn(other, "there", there);
  rmSync(place.traceFolder(stage.id), { recursive: true });
  cpSync(foreign.traceFolder(stage.id), place.traceFolder(stage.id), { recursive: true });
  return { place, trace: stage.id };
}

test.each([
  ["as long as", 3, 3],
  ["longer than", 2, 4],
])("another history that is %s the acknowledged one is not continued", async (_, here, there) => {
  const { place, trace } = await forked(here, there);
  expect(() => Recorder.resume(place, trace)).toThrow(
    expect.objectContaining({ code: "LEDGER_CORRUPT" }),
  );
  const { status, problems } = await fsck(place, trace);
  expect(status).toBe("damaged");
  expect(problems.map(({ code }) => code)).toContain("STORE_FORKED");
});

test("another history that is shorter is found as such", async () => {
  const { place, trace } = await forked(4, 2);
  expect(() => Recorder.resume(place, trace)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^LEDGER_(BEHIND|CORRUPT)$/) }),
  );
  const { problems } = await fsck(place, trace);
  expect(problems.map(({ code }) => code)).toContain("STORE_BEHIND");
});

import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ulid } from "../../../src/base/index.ts";
import { DeliverRecord } from "../../../src/flow/deliver/deliver-record.ts";
import { Place } from "../../../src/flow/place.ts";
import { callOffDelivery, isCalledOff } from "../../../src/flow/session/session-delivery.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

test("a delivery that was called off stays so, however many records come after it", async () => {
  const folder = temporaryFolder();
  const place = new Place({ store: join(folder, ".sworn"), state: join(folder, "state") });
  const handover = { work: "01", to: "branch", isSent: false };
  expect(isCalledOff(place, handover)).toBe(false);
  await callOffDelivery(place, handover);
  const other = new DeliverRecord(place);
  await other.asked("deliver work 02 to branch", {});
  other.close();
  const ledger = dirname(place.ledgerPath(other.trace));
  for (let count = 0; count < 501; count += 1) {
    const copy = `trace_${ulid(Date.now() + 1_000 + count)}`;
    cpSync(ledger, dirname(place.ledgerPath(copy)), { recursive: true });
  }
  expect(place.traces().length).toBe(503);
  expect(isCalledOff(place, handover)).toBe(true);
  // The session's own record is younger by its name where the clock was set back meanwhile.
  const younger = { ...handover, since: `trace_${ulid(Date.now() + 3_600_000)}` };
  expect(isCalledOff(place, younger)).toBe(true);
  expect(isCalledOff(place, { ...handover, to: "elsewhere" })).toBe(false);
}, 60_000);

import { expect, onTestFinished, test } from "vitest";
import { nextHlc, type Signer } from "../../src/base/index.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { type SealedEntry, sealEntry, type UnsignedEntry } from "../../src/ledger/index.ts";
import { LocalLedger } from "../../src/ledger/local.ts";
import type { Entry } from "../../src/schema/index.ts";
import { verifies } from "../verifies.ts";
import { message, proposal } from "./requests.ts";
import { Stage } from "./stage.ts";

/** Another process that can commit one more message at any moment, without waiting for anything. */
async function otherWriter({ place, id, session }: Stage) {
  const ledger = LocalLedger.openForAppend(id, place.ledgerPath(id), place.heads(id));
  onTestFinished(() => ledger.close());
  const key = session.agents.get("mara")?.key ?? "";
  const mara = (await place.keyring.signer("mara", key)) as Signer;
  const runtimeKey = session.agents.get("sworn")?.key ?? "";
  const runtime = (await place.keyring.signer("sworn", runtimeKey)) as Signer;
  let last: Entry | undefined;
  const toEntry = (): SealedEntry => {
    const { size, hash } = ledger.head;
    const entry = {
      v: 1,
      trace: id,
      seq: size,
      at: last?.at,
      hlc: nextHlc(last?.hlc, 0),
      actor: { agent: "mara", role: "operator", key },
      parents: [],
      artifacts: [],
      type: "message_posted",
      body: { text: `entry ${size}` },
      prev: hash,
    } as unknown as UnsignedEntry;
    return sealEntry(entry, mara);
  };
  return () => {
    ledger.catchUp((line) => {
      last = JSON.parse(line) as Entry;
    });
    const entry = toEntry();
    expect(ledger.append(ledger.head, [entry], runtime)).toBe(true);
    last = JSON.parse(entry.line) as Entry;
  };
}

verifies(
  ["002-36", "002-44"],
  "a trace can be opened while somebody else is writing it: that is not damage",
  async () => {
    const stage = await Stage.at("planning");
    const commit = await otherWriter(stage);
    commit();
    const { place } = stage;
    const heads = place.heads.bind(place);
    let left = 3;
    // Each look at the head outside the store comes right after a commit by the other one.
    place.heads = (trace) => {
      left -= 1;
      if (left >= 0) commit();
      return heads(trace);
    };
    const again = new Stage(place, Recorder.resume(place, stage.id));
    await again.accept(proposal("p1"));
    expect((await again.verify()).failures).toEqual([]);
  },
);

test("a recorder that was idle takes in what others wrote before it judges", async () => {
  const stage = await Stage.at("planning");
  const commit = await otherWriter(stage);
  for (let count = 0; count < 5; count += 1) commit();
  await stage.accept(proposal("p1"));
  expect(stage.last("proposal_created").seq).toBe(6);
  commit();
  await stage.refuse(proposal("p1"), "IDENTITY_GUARD");
  await stage.accept(message("done"));
  expect((await stage.verify()).failures).toEqual([]);
});

import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { summarize } from "../../src/flow/trace/look.ts";
import { request } from "../fake/sandbox.ts";
import { claim, message } from "./requests.ts";
import { Stage } from "./stage.ts";

test("a claim without proof is the claimant's fault, not damage to the store", async () => {
  const stage = await Stage.at("claiming");
  await stage.accept(claim("c1", { evidence: [sha256Hex("nobody stored this")] }));
  const { status, problems, report } = await fsck(stage.place, stage.id);
  expect({ status, problems }).toEqual({ status: "ok", problems: [] });
  expect(report?.failures.map(({ code }) => code)).toEqual(["CLAIM_UNPROVEN"]);
});

test("a key that was lost is no damage to the store either", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(
    request("eli", "executor", "message_posted", { text: "me?" }),
    request("mara", "operator", "key_revoked", { agent: "eli", reason: "r", compromised_from: 1 }),
  );
  const { status, report } = await fsck(stage.place, stage.id);
  expect(status).toBe("ok");
  expect(report?.failures.map(({ code }) => code)).toEqual(["KEY_COMPROMISED"]);
});

test("a trace whose last entry was altered is listed as failed, and damaged", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(message("keep it"));
  stage.close();
  const db = new DatabaseSync(stage.place.ledgerPath(stage.id));
  db.exec("UPDATE entry SET line = replace(line, 'keep it', 'drop it')");
  db.close();
  expect(summarize(stage.place)).toMatchObject([
    { state: "failed", problem: expect.stringContaining("signed for") },
  ]);
  expect((await fsck(stage.place, stage.id)).status).toBe("damaged");
});

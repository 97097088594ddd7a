import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/index.ts";
import type { EventRequest, VerificationReport } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";
import { exportTrace } from "../trace/bundle.ts";
import { editEntries, flipByte } from "./edit-bundle.ts";
import type { Ground } from "./ground.ts";
import { type Answered, type Attempt, fails, holds } from "./guarantee.ts";
import type { Product } from "./product.ts";
import { EVIDENCE, message, SAID, SAMPLE_SESSION } from "./sample-session.ts";

const NO_ROOTS = { artifactRoots: [] };

/** Somebody changes what was recorded. */
export const flippedByte: Attempt = {
  name: "a flipped byte",
  tried: "one bit turned over in an entry, in an artifact and in the checkpoint of a record",
  make: async (product, ground) => {
    const { place, trace } = await recorded(product, ground);
    const bundle = exported(place, trace, ground);
    const honest = await judged(product, ground, bundle);
    if (honest.status === "fail") return fails(`the record as it was: ${firstOf(honest)}`);
    const found: string[] = [];
    for (const text of [SAID, EVIDENCE, trace]) {
      const report = await judged(product, ground, flipByte(bundle, text));
      if (report.status !== "fail") return fails(`the changed record verifies: ${report.status}`);
      found.push(firstOf(report));
    }
    return holds(found.join("; "));
  },
};

/** Somebody takes away what was recorded last, in what is handed on and in the store. */
export const cutTail: Attempt = {
  name: "a cut tail",
  tried: "the last entry left out of a record, and an older copy of the store put back",
  make: async (product, ground) => {
    const { place, trace } = await recorded(product, ground);
    const bundle = exported(place, trace, ground);
    const honest = await judged(product, ground, bundle);
    if (honest.status === "fail") return fails(`the record as it was: ${firstOf(honest)}`);
    const cut = editEntries(bundle, (lines) => lines.slice(0, -1));
    const report = await judged(product, ground, cut);
    if (report.status !== "fail") return fails(`the cut record verifies: ${report.status}`);
    const store = await putBack(product, place, trace, ground);
    return store.holds ? holds(`${firstOf(report)}; ${store.answered}`) : store;
  },
};

async function putBack(
  product: Product,
  place: Place,
  trace: string,
  ground: Ground,
): Promise<Answered> {
  const [folder, older] = [place.traceFolder(trace), join(ground.folder, "older")];
  cpSync(folder, older, { recursive: true });
  const recorder = product.resume(place, trace);
  const { refusal } = await recorder.record([message("Stop.")], NO_ROOTS);
  recorder.close();
  if (refusal) return fails(`the honest store cannot be continued: ${refusal.reason}`);
  rmSync(folder, { recursive: true });
  cpSync(older, folder, { recursive: true });
  try {
    product.resume(place, trace).close();
  } catch (error) {
    // What comes behind is what a person can do about it.
    return holds(messageOf(error).split(";", 1)[0] ?? "");
  }
  return fails("the older copy was taken for the whole store");
}

/** An author lets its own proposal pass: in a role it does not have, and by editing the record. */
export const forgedApproval: Attempt = {
  name: "a forged approval",
  tried: "a planner approves its own proposal as critic, and a recorded rejection is rewritten",
  make: async (product, ground) => {
    const { place, trace } = await recorded(product, ground);
    const recorder = Recorder.resume(place, trace);
    const approval = {
      proposal_id: "p1",
      proposal_status: "approved" as const,
      risk_assessment: "None",
      rationale: "It is good.",
    };
    const forged: EventRequest = {
      actor: { agent: "ada", role: "critic" },
      type: "proposal_reviewed",
      body: approval,
    };
    const { refusal } = await product
      .record(recorder, [forged], NO_ROOTS)
      .finally(() => recorder.close());
    if (!refusal) return fails("the planner's approval of its own proposal was recorded");
    const bundle = exported(place, trace, ground);
    const honest = await judged(product, ground, bundle);
    if (honest.status === "fail") return fails(`the record as it was: ${firstOf(honest)}`);
    const rewritten = editEntries(bundle, (lines) =>
      lines.map((line) => line.replace('"rejected"', '"approved"')),
    );
    const report = await judged(product, ground, rewritten);
    const isSeen = report.failures.some(({ code }) => code === "SIG_INVALID");
    if (!isSeen) return fails(`the rewritten review verifies: ${report.status}`);
    return holds(`${refusal.rule}: ${refusal.reason}; ${firstOf(report)}`);
  },
};

async function recorded(product: Product, ground: Ground) {
  const place = ground.place();
  const recorder = Recorder.start(place);
  const { refusal } = await product
    .record(recorder, SAMPLE_SESSION, NO_ROOTS)
    .finally(() => recorder.close());
  if (refusal) throw new Error(`an honest session is refused: ${refusal.reason}`);
  return { place, trace: recorder.id };
}

function exported(place: Place, trace: string, ground: Ground): Buffer {
  const path = join(ground.folder, "session.tar");
  exportTrace(place, trace, path);
  return readFileSync(path);
}

async function judged(
  { verify }: Product,
  ground: Ground,
  bundle: Buffer,
): Promise<VerificationReport> {
  const path = join(ground.folder, "handed-on.tar");
  writeFileSync(path, bundle);
  const options = { profile: "default", mode: "full", threads: 0 } as const;
  const outcome = await verify(async () => ground.place(), path, options);
  if (outcome.kind !== "trace") throw new Error("a bundle was taken for a proof");
  return outcome.report;
}

function firstOf({ status, failures: [first] }: VerificationReport): string {
  if (first === undefined) return status;
  return first.seq === null ? first.code : `${first.code} at entry ${first.seq}`;
}

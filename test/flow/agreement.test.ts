import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { EventRequest } from "../../src/schema/index.ts";
import { opening, temporaryPlace } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";
import { codesOf } from "../verify/copy.ts";
import { arbitraryDice, type Dice, toMove } from "../view/moves.ts";
import { Stage } from "./stage.ts";

/** Key changes need a keyring that changes with them; their own tests do that. */
const LEFT = ["session_initialized", "key_rotated", "key_revoked"] as const;
const NO_ROOTS = { artifactRoots: [] };

function toRequest(stage: Stage, dice: Dice): EventRequest | undefined {
  const { role, agent, type, body, texts } = toMove(stage.session, dice, LEFT);
  const artifacts = texts.map((text) => ({ text }));
  const parsed = EventRequest.safeParse({ actor: { agent, role }, type, body, artifacts });
  return parsed.success ? (parsed.data as EventRequest) : undefined;
}

/** Claims that stand although their evidence was not there: what an audit is expected to find. */
function hasUnproven({ session }: Stage): boolean {
  return [...session.claims.values()].some(
    ({ status, evidence, seq }) =>
      status === "standing" &&
      !evidence.some((hash) => (session.artifacts.get(hash)?.seq ?? Infinity) <= seq),
  );
}

verifies(
  ["002-15", "002-33"],
  "whatever a recorder accepts, a verifier finds in order, unproven claims apart",
  async () => {
    const place = temporaryPlace();
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(arbitraryDice, fc.integer({ min: 1, max: 4 }), async (throws, width) => {
        const stage = new Stage(place, Recorder.start(place));
        await stage.accept(opening());
        for (let at = 0; at < throws.length; at += width) {
          const group = throws
            .slice(at, at + width)
            .flatMap((dice) => toRequest(stage, dice) ?? []);
          if (group.length > 0) await stage.recorder.record(group, NO_ROOTS);
        }
        const report = await stage.verify();
        const expected = hasUnproven(stage) ? ["CLAIM_UNPROVEN"] : [];
        expect(codesOf(report).filter((code) => code !== "EVIDENCE_LATE")).toEqual(expected);
        expect(report).toMatchObject({ state: stage.state, entries: stage.session.size });
        seen.add(stage.state);
        stage.close();
      }),
      { numRuns: 14, seed: 20_020 },
    );
    expect(seen.size).toBeGreaterThan(3);
  },
);

test("recording one by one and recording in groups give the same session", async () => {
  const place = temporaryPlace();
  await fc.assert(
    fc.asyncProperty(arbitraryDice, async (throws) => {
      const [single, grouped] = [Recorder.start(place), Recorder.start(place)].map(
        (recorder) => new Stage(place, recorder),
      );
      if (!single || !grouped) return;
      await single.accept(opening());
      const accepted: EventRequest[] = [];
      for (const dice of throws.slice(0, 40)) {
        const request = toRequest(single, dice);
        if (!request || request.type === "verification_run_completed") continue;
        const { recorded } = await single.recorder.record([request], NO_ROOTS);
        if (recorded === 1) accepted.push(request);
      }
      await grouped.accept(opening(), ...accepted);
      const shape = (stage: Stage) =>
        stage.entries().map(({ seq, type, body, parents }) => ({ seq, type, body, parents }));
      expect(shape(grouped).slice(1)).toEqual(shape(single).slice(1));
      expect(grouped.session.state).toBe(single.session.state);
      single.close();
      grouped.close();
    }),
    { numRuns: 5, seed: 7 },
  );
});

test("a recorder that reads the trace anew holds the very session that recorded it", async () => {
  const place = temporaryPlace();
  await fc.assert(
    fc.asyncProperty(arbitraryDice, async (throws) => {
      const stage = new Stage(place, Recorder.start(place));
      await stage.accept(opening());
      for (const dice of throws.slice(0, 40)) {
        const request = toRequest(stage, dice);
        if (request) await stage.recorder.record([request], NO_ROOTS);
      }
      const again = new Stage(place, Recorder.resume(place, stage.id));
      expect(again.session).toEqual(stage.session);
      expect(sha256Hex(again.lines().at(-1) ?? "")).toBe(stage.recorder.head.hash);
      again.close();
      stage.close();
    }),
    { numRuns: 5, seed: 11 },
  );
});

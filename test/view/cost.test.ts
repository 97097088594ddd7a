import { test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { apply, judge } from "../../src/view/index.ts";
import { expectLinear } from "../cost-growth.ts";
import { ballot, claim, completion, review, worldIn } from "./way.ts";
import type { World } from "./world.ts";

const EXECUTOR = { role: "executor" } as const;
const CRITIC = { role: "critic" } as const;
const SMALL = 1_000;
const TIMES = 10;

type Asked = Parameters<World["ask"]>;
type Story = (world: World, count: number) => void;

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);
const hashes = upTo(SMALL * TIMES).map((number) => sha256Hex(`evidence ${number}`));
const doubt = (id: string, about: string) => ({ challenge_id: id, claim_id: about, reason: "r" });
const upheld = (id: string) => ({ challenge_id: id, resolution: "upheld", rationale: "r" });

/** Judges as a verifier does: what is refused has no effect, and the next one is judged all the same. */
function tell(world: World, ...[type, body, asking, rule]: [...Asked, rule?: string]): void {
  const event = world.toEvent(type, body, asking);
  const refusal = judge(world.session, event);
  if (refusal?.rule !== rule) throw new Error(`${type}: ${refusal?.reason ?? "not refused"}`);
  if (!refusal) apply(world.session, event);
}

const concludes = (...claims: string[]) => ({
  consolidated_claim_ids: claims,
  final_verdict_text: "t",
});

/** As many claims as refused final statements, by who may make them and by who may not. */
const finals: Story = (world, count) => {
  for (const number of upTo(count)) {
    const meets = [{ proposal_id: "p3", condition: number % 1_000 }];
    tell(world, "claim_issued", claim(`d${number}`, { meets }), EXECUTOR);
  }
  for (const number of upTo(count)) {
    const role = number % 2 === 0 ? "executor" : "critic";
    const rule = number % 2 === 0 ? "FINALIZATION_GUARD" : "ROLE_GUARD";
    tell(world, "final_statement_signed", concludes(`d${number}`), { role }, rule);
  }
};

/** One claim that is challenged and revised again and again, before each challenge is upheld. */
const revisions: Story = (world, count) => {
  for (const number of upTo(count))
    tell(world, "claim_challenged", doubt(`x${number}`, "c1"), CRITIC);
  for (const number of upTo(count)) {
    const revises = number === 0 ? "c1" : `d${number - 1}`;
    tell(world, "claim_issued", claim(`d${number}`, { revises }), EXECUTOR);
  }
  for (const number of upTo(count)) tell(world, "challenge_resolved", upheld(`x${number}`), CRITIC);
};

/** Struck claims with one piece of evidence in common, and claims that cite it again. */
const struck: Story = (world, count) => {
  const common = sha256Hex("output");
  const citing = (id: string, hash: string | undefined) => claim(id, { evidence: [common, hash] });
  for (const number of upTo(count)) {
    tell(world, "claim_issued", citing(`d${number}`, hashes[number]), EXECUTOR);
    tell(world, "claim_challenged", doubt(`x${number}`, `d${number}`), CRITIC);
    tell(world, "challenge_resolved", upheld(`x${number}`), CRITIC);
  }
  for (const number of upTo(count)) {
    const again = citing(`f${number}`, hashes[number]);
    tell(world, "claim_issued", again, EXECUTOR, "EVIDENCE_GUARD");
  }
};

/** Work that is proposed again and again by ever more authors, with a red vote on each. */
const proposals: Story = (world, count) => {
  for (const number of upTo(count)) {
    const names = upTo(20).map((one) => ({ agent: `a${number}-${one}` }));
    const more = number === 0 ? {} : { revises: `k${number - 1}` };
    const body = completion(`k${number}`, { subject: hashes[number], authors: names, ...more });
    tell(world, "completion_proposed", body, { ...EXECUTOR, texts: ["document"] });
    tell(world, "vote_cast", ballot(`k${number}`, "red"), CRITIC);
    tell(world, "final_statement_signed", concludes("c1"), EXECUTOR, "FINALIZATION_GUARD");
  }
};

test.each([
  ["proposals that revise one another", proposals],
  ["refused final statements over many claims", finals],
  ["challenges of a claim that was revised many times", revisions],
  ["claims on evidence that many struck claims share", struck],
])("%s cost what they say, not what the session holds", (_, story) => {
  expectLinear((times) => {
    const world = worldIn("claiming");
    const conditions = upTo(1_000).map((number) => `condition ${number}`);
    world.take("proposal_reviewed", review("p3", "conditional", { conditions }), CRITIC);
    story(world, SMALL * times);
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  apply,
  type Event,
  hasResolvingEvidence,
  judge,
  linksOf,
  PROTOCOL,
  type Session,
  standingClaims,
} from "../../src/view/index.ts";
import { arbitraryDice, type Dice, type Move, toMove } from "./moves.ts";
import { artifactOf, freshKey, initialization, World } from "./world.ts";

const RUNS = { numRuns: 300, seed: 20_021 };
const FINAL = ["completed", "failed", "aborted"];
const SPARE = Array.from({ length: 12 }, freshKey);

/** The parts of a body that only a recorder can know. */
function toEvent(world: World, { type, body, role, agent, texts }: Move, dice: Dice): Event {
  const [a = 0, b = 0] = dice;
  const names = [...world.session.agents.keys()];
  const subject = names[a % Math.max(1, names.length)] ?? "eli";
  const key = world.session.agents.get(subject)?.key ?? "0".repeat(32);
  const spare = SPARE[b % SPARE.length];
  const report = artifactOf("report");
  const size = world.session.size - (a % 10 === 0 ? 1 : 0);
  const more: Partial<Record<Event["type"], object>> = {
    session_initialized: initialization(),
    verification_run_completed: { report: report.hash, size, head: "0".repeat(64) },
    agent_enrolled: { key: spare?.key, public: spare?.public },
    key_rotated: { agent: subject, old_key: key, new_key: spare?.key, public: spare?.public },
    key_revoked: { agent: subject, key, ...(a % 2 === 0 ? { compromised_from: b % 50 } : {}) },
  };
  const event = world.toEvent(type, { ...body, ...more[type] }, { role, agent, texts });
  return type === "verification_run_completed"
    ? ({ ...event, artifacts: [report] } as Event)
    : event;
}

/** What gate one asks, worked out from everything instead of along the way. */
function tallyOf(session: Session) {
  const names = <T>(items: Map<string, T>, fits: (item: T) => boolean) =>
    [...items].filter(([, item]) => fits(item)).map(([name]) => name);
  const standing = names(session.claims, ({ status }) => status === "standing");
  const met = new Set(standing.flatMap((id) => session.claims.get(id)?.meets ?? []));
  const used = [...session.intents.values()].filter((one) => one.execution);
  const conditions = [...new Set(used.map(({ proposal }) => proposal))].flatMap((id) =>
    (session.proposals.get(id)?.conditions ?? []).map((_, position) => `${id}/${position}`),
  );
  return {
    standing: standing.sort(),
    openChallenges: names(session.challenges, ({ open }) => open).sort(),
    unmet: conditions.filter((condition) => !met.has(condition)).sort(),
    unproven: standingClaims(session)
      .filter(([, claim]) => !hasResolvingEvidence(session, claim))
      .map(([id]) => id)
      .sort(),
  };
}

function counters({ intents, executions }: Session) {
  const count = <T>(items: Iterable<T>, fits: (item: T) => boolean) =>
    [...items].filter(fits).length;
  return {
    openIntents: count(intents.values(), (one) => !one.execution && one.review !== "blocked"),
    runningExecutions: count(executions.values(), ({ status }) => status === "running"),
    owedFailures: count(executions.values(), ({ owes }) => owes),
  };
}

/** Everything that must hold after any event that the rules let through. */
function assertSound(session: Session, before: string, event: Event): void {
  expect(session).toMatchObject(counters(session));
  const { standing, openChallenges, unmet, unproven } = session.tally;
  expect({
    standing: [...standing].sort(),
    openChallenges: [...openChallenges].sort(),
    unmet: [...unmet].sort(),
    unproven: [...unproven].sort(),
  }).toEqual(tallyOf(session));
  const proposed = [...session.completions.values()].filter(({ revisedBy }) => !revisedBy);
  expect([...session.redSubjects].sort()).toEqual(
    [...new Set(proposed.map(({ subject }) => subject))]
      .filter((subject) => (session.subjects.get(subject)?.reds.size ?? 0) > 0)
      .sort(),
  );
  for (const { failures, running } of session.works.values())
    expect(failures + running).toBeLessThanOrEqual(session.policy.attempts_max);
  expect(session.finishedExecutions).toBeGreaterThanOrEqual(0);
  expect(session.reworkRounds).toBeLessThanOrEqual(session.policy.rework_max);
  expect(session.size).toBe(event.seq + 1);
  if (FINAL.includes(before)) {
    const late = before === "completed" ? ["gap_recorded", "review_moved"] : ["gap_recorded"];
    expect(late).toContain(event.type);
    expect(session.state).toBe(before);
  }
  if (session.state === "completed") expect(session.finalStatement).toBeDefined();
  if (["claiming", "auditing", "completed"].includes(session.state)) {
    expect(session).toMatchObject({ openIntents: 0, runningExecutions: 0, owedFailures: 0 });
  }
  for (const { attempt } of session.intents.values())
    expect(attempt).toBeLessThanOrEqual(session.policy.attempts_max);
  for (const { intent } of session.executions.values())
    expect(session.artifacts.has(session.intents.get(intent)?.inputHash ?? "")).toBe(true);
  for (const [, { agent, status }] of session.keys)
    if (status === "active") expect(session.agents.has(agent)).toBe(true);
}

test("no sequence of requests breaks the rules' own bookkeeping", () => {
  const reached = new Set<string>();
  const accepted = new Set<string>();
  fc.assert(
    fc.property(arbitraryDice, (throws) => {
      const world = World.begun();
      const { session } = world;
      for (const dice of throws) {
        const event = toEvent(world, toMove(session, dice), dice);
        const before = session.state;
        const copy =
          dice[7] === undefined || dice[7] % 8 > 0 ? undefined : structuredClone(session);
        const refusal = judge(session, event);
        const links = linksOf(session, event);
        if (copy) expect(session).toEqual(copy);
        for (const { seq } of links) expect(seq).toBeLessThan(event.seq);
        if (refusal) continue;
        apply(session, event);
        assertSound(session, before, event);
        reached.add(session.state);
        accepted.add(event.type);
      }
    }),
    RUNS,
  );
  // Worth nothing if the sequences never get anywhere.
  expect([...reached].sort()).toEqual([
    "aborted",
    "auditing",
    "claiming",
    "completed",
    "executing",
    "failed",
    "planning",
    "reviewing",
  ]);
  expect(Object.keys(PROTOCOL).filter((type) => !accepted.has(type))).toEqual([
    "session_initialized",
  ]);
});

test("the same events always fold to the same session", () => {
  fc.assert(
    fc.property(arbitraryDice, (throws) => {
      const [one, other] = [World.begun(), World.begun()];
      for (const dice of throws) {
        const event = toEvent(one, toMove(one.session, dice), dice);
        const answers = [judge(one.session, event), judge(other.session, event)];
        expect(answers[0]).toEqual(answers[1]);
        if (answers[0]) continue;
        apply(one.session, event);
        apply(other.session, structuredClone(event));
      }
      expect(other.session).toEqual(one.session);
    }),
    { ...RUNS, numRuns: 40 },
  );
});

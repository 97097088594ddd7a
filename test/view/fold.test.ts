import { expect, test } from "vitest";
import { apply, type Event, possibleNext } from "../../src/view/index.ts";
import { INTO, worldIn } from "./way.ts";
import { artifactOf, freshKey, World } from "./world.ts";

const SAY = { text: "t" };

test("nothing comes before session_initialized", () => {
  expect(new World().ask("message_posted", SAY, { role: "operator" })?.rule).toBe("STATE_GUARD");
});

test("only registered agents act, and only in the roles they registered", () => {
  const world = worldIn("planning");
  const ask = (role: "operator" | "critic", agent: string) =>
    world.ask("message_posted", SAY, {
      role,
      agent,
      key: world.session.agents.get(agent)?.key ?? "",
    })?.rule;
  expect(ask("critic", "zoe")).toBe("ROLE_GUARD");
  expect(ask("critic", "mara")).toBe("ROLE_GUARD");
  expect(ask("operator", "mara")).toBeUndefined();
});

test("an agent acts with its own key, not with another's and not with an unknown one", () => {
  const world = worldIn("planning");
  const ask = (key: string) => world.ask("message_posted", SAY, { role: "operator", key })?.rule;
  expect(ask(freshKey().key)).toBe("KEY_GUARD");
  expect(ask(world.session.agents.get("eli")?.key ?? "")).toBe("KEY_GUARD");
});

test("an idempotency key is used once", () => {
  const world = worldIn("planning");
  world.take("message_posted", SAY, { role: "operator", idem: "once" });
  const again = (idem: string) =>
    world.ask("message_posted", SAY, { role: "operator", idem })?.rule;
  expect(again("once")).toBe("IDENTITY_GUARD");
  expect(again("twice")).toBeUndefined();
});

test("an artifact stays where it was first recorded, and a name follows its newest content", () => {
  const world = worldIn("executing");
  const { session } = world;
  const record = (text: string, name: string) => {
    const event = world.toEvent("artifact_recorded", { description: "d" }, { role: "executor" });
    apply(session, { ...event, artifacts: [{ ...artifactOf(text), name }] } as Event);
  };
  const first = session.size;
  record("one", "n");
  record("two", "n");
  record("one", "m");
  expect(session.artifacts.get(artifactOf("one").hash)).toEqual({ seq: first });
  expect(session.artifactNames.get("n")).toBe(artifactOf("two").hash);
  expect(session.artifactNames.get("m")).toBe(artifactOf("one").hash);
});

test.each(Object.keys(INTO) as (keyof typeof INTO)[])(
  "what may come next while %s is what the table says",
  (state) => {
    const next = possibleNext(worldIn(state).session);
    const expected: Partial<Record<typeof state, string[]>> = {
      initialized: ["session_initialized"],
      completed: ["review_moved", "gap_recorded"],
      failed: ["gap_recorded"],
      aborted: ["gap_recorded"],
    };
    if (expected[state]) expect(next).toEqual(expected[state]);
    else expect(next).toContain("session_aborted");
  },
);

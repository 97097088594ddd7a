import { expect, test } from "vitest";
import { keyIdOf } from "../../src/base/index.ts";
import { FITTING, worldIn } from "./way.ts";
import { freshKey, type World } from "./world.ts";

const MARA = { role: "operator" } as const;
const ELI = { role: "executor" } as const;

test("decisions and exceptions have names that nothing else has", () => {
  const world = worldIn("planning");
  const decision = FITTING.decision_recorded(world, "planner");
  world.take("decision_recorded", decision, { role: "planner" });
  expect(world.ask("decision_recorded", decision, { role: "planner" })?.rule).toBe(
    "IDENTITY_GUARD",
  );
  const exception = FITTING.exception_recorded(world, "operator");
  expect(world.ask("exception_recorded", { ...exception, exception_id: "d1" }, MARA)?.rule).toBe(
    "IDENTITY_GUARD",
  );
  world.take("exception_recorded", exception, MARA);
  expect(world.ask("exception_recorded", exception, MARA)?.rule).toBe("IDENTITY_GUARD");
});

test("nobody grants an exception to themselves, or to somebody who is not there", () => {
  const world = worldIn("planning");
  const ask = (requester: string) =>
    world.ask(
      "exception_recorded",
      { ...FITTING.exception_recorded(world, "operator"), requester },
      MARA,
    )?.rule;
  expect(ask("mara")).toBe("INDEPENDENCE_GUARD");
  expect(ask("zoe")).toBe("ORDER_GUARD");
  expect(ask("eli")).toBeUndefined();
});

/** A rotation of Eli's key as it should be, with parts replaced. */
function rotation({ session }: World, more: object = {}) {
  const { key, public: publicText } = freshKey();
  const old = session.agents.get("eli")?.key;
  return { agent: "eli", old_key: old, new_key: key, public: publicText, ...more };
}
const rotate = (world: World, more: object, asking: Parameters<World["ask"]>[2] = ELI) =>
  world.ask("key_rotated", rotation(world, more), asking)?.rule;

test("an agent rotates its own key, the operator anybody's, others nobody's", () => {
  const world = worldIn("planning");
  expect(rotate(world, {})).toBeUndefined();
  expect(rotate(world, {}, MARA)).toBeUndefined();
  expect(rotate(world, {}, { role: "critic" })).toBe("ROLE_GUARD");
  expect(rotate(world, { agent: "zoe" }, MARA)).toBe("ORDER_GUARD");
});

test("a rotation goes from the key in use to a new one whose id is its own", () => {
  const world = worldIn("planning");
  const [eli, cleo] = ["eli", "cleo"].map((agent) => world.session.agents.get(agent)?.key);
  expect(rotate(world, { old_key: cleo })).toBe("KEY_GUARD"); // another agent's
  expect(rotate(world, { old_key: "0".repeat(32) })).toBe("KEY_GUARD"); // nobody's
  expect(rotate(world, { new_key: "0".repeat(32) })).toBe("KEY_GUARD"); // not its id
  const publicText = world.session.keys.get(cleo ?? "")?.public;
  expect(rotate(world, { new_key: cleo, public: publicText })).toBe("KEY_GUARD"); // in use
  // The identity of the curve: one signature of this key fits every message.
  const weak = Buffer.from("01".padEnd(64, "0"), "hex").toString("base64");
  expect(rotate(world, { new_key: keyIdOf(weak), public: weak })).toBe("KEY_GUARD");
  world.take("key_rotated", rotation(world), ELI);
  expect(rotate(world, { old_key: eli })).toBe("KEY_GUARD"); // rotated away already
});

test("a rotated or revoked key signs nothing more", () => {
  const world = worldIn("planning");
  const old = world.session.agents.get("eli")?.key ?? "";
  world.take("key_rotated", rotation(world), ELI);
  const say = (key?: string) =>
    world.ask("message_posted", { text: "t" }, { ...ELI, ...(key ? { key } : {}) })?.rule;
  expect(say(old)).toBe("KEY_GUARD");
  expect(say()).toBeUndefined();
  const now = world.session.agents.get("eli")?.key ?? "";
  world.take("key_revoked", { agent: "eli", key: now, reason: "lost" }, MARA);
  expect(say(now)).toBe("KEY_GUARD");
  // The operator can give a revoked agent its next key, from a key that was its own.
  const cleo = world.session.agents.get("cleo")?.key;
  expect(rotate(world, { old_key: cleo }, MARA)).toBe("KEY_GUARD");
  expect(rotate(world, { old_key: "0".repeat(32) }, MARA)).toBe("KEY_GUARD");
  world.take("key_rotated", { ...rotation(world), old_key: now }, MARA);
  expect(say()).toBeUndefined();
});

test("revoking an older key leaves the one in use alone", () => {
  const world = worldIn("planning");
  const old = world.session.agents.get("eli")?.key ?? "";
  world.take("key_rotated", rotation(world), ELI);
  world.take("key_revoked", { agent: "eli", key: old, reason: "found" }, MARA);
  expect(world.session.keys.get(old)?.status).toBe("revoked");
  expect(world.ask("message_posted", { text: "t" }, ELI)).toBeUndefined();
});

test("the runtime's key in use is not revoked: it signs the checkpoint over that very entry", () => {
  const world = worldIn("planning");
  const key = world.session.agents.get("sworn")?.key ?? "";
  const revoke = () => world.ask("key_revoked", { agent: "sworn", key, reason: "r" }, MARA)?.rule;
  expect(revoke()).toBe("KEY_GUARD");
  world.take("key_rotated", { ...rotation(world), agent: "sworn", old_key: key }, MARA);
  expect(revoke()).toBeUndefined();
});

test("a revocation is about the agent's own key, made by it or the operator, once", () => {
  const world = worldIn("planning");
  const [eli, cleo] = ["eli", "cleo"].map((agent) => world.session.agents.get(agent)?.key);
  const revoke = (more: object, asking: Parameters<World["ask"]>[2] = MARA) =>
    world.ask("key_revoked", { agent: "eli", key: eli, reason: "r", ...more }, asking)?.rule;
  expect(revoke({}, { role: "critic" })).toBe("ROLE_GUARD");
  expect(revoke({ key: cleo })).toBe("KEY_GUARD");
  expect(revoke({ key: "0".repeat(32) })).toBe("KEY_GUARD");
  expect(revoke({ compromised_from: world.session.size + 1 })).toBe("ORDER_GUARD");
  expect(revoke({ compromised_from: world.session.size })).toBeUndefined();
  expect(revoke({}, ELI)).toBeUndefined();
  world.take("key_revoked", { agent: "eli", key: eli, reason: "r" }, MARA);
  expect(revoke({})).toBe("KEY_GUARD");
});

import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addKnownFindings, readKnownFindings } from "../../src/flow/known/known-findings.ts";
import { Place } from "../../src/flow/place.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

const [ONE, TWO] = ["1".repeat(64), "2".repeat(64)] as const;

class Scene {
  readonly folder = temporaryFolder();
  now = Date.UTC(2026, 0, 1);
  readonly place = this.placeOf("state");

  /** The only list that the user's state holds. */
  get path(): string {
    const [name = ""] = readdirSync(join(this.place.state, "known"));
    return join(this.place.state, "known", name);
  }

  placeOf(state: string, project = "."): Place {
    mkdirSync(join(this.folder, project), { recursive: true });
    return new Place({
      store: join(this.folder, project, ".sworn"),
      state: join(this.folder, state),
      clock: () => this.now,
    });
  }

  async say(kind: "dismissed" | "baseline" | "restored", identity: string, place = this.place) {
    this.now += 1_000;
    await addKnownFindings(place, {
      kind,
      identities: [identity],
      why: "a reason",
      about: "SEC-001",
    });
  }

  kinds() {
    const { known, ignored } = readKnownFindings(this.place);
    return { ignored, kinds: Object.fromEntries([...known].map(([id, { kind }]) => [id, kind])) };
  }
}

test("nothing is known where nothing was said", () => {
  expect(new Scene().kinds()).toEqual({ ignored: 0, kinds: {} });
});

test("the last word on a finding counts", async () => {
  const scene = new Scene();
  await scene.say("dismissed", ONE);
  await scene.say("baseline", TWO);
  expect(scene.kinds()).toEqual({ ignored: 0, kinds: { [ONE]: "dismissed", [TWO]: "baseline" } });
  await scene.say("restored", ONE);
  expect(scene.kinds().kinds[ONE]).toBe("restored");
});

test("an old line put in again does not undo what was said since", async () => {
  const scene = new Scene();
  await scene.say("dismissed", ONE);
  const old = readFileSync(scene.path, "utf8");
  await scene.say("restored", ONE);
  appendFileSync(scene.path, old);
  expect(scene.kinds()).toEqual({ ignored: 0, kinds: { [ONE]: "restored" } });
});

test("what somebody else wrote silences nothing and is counted", async () => {
  const scene = new Scene();
  await scene.say("dismissed", ONE);
  await scene.say("dismissed", TWO, scene.placeOf("stranger"));
  const [name = ""] = readdirSync(join(scene.folder, "stranger", "known"));
  const theirs = readFileSync(join(scene.folder, "stranger", "known", name), "utf8");
  const [own = ""] = readFileSync(scene.path, "utf8").split("\n");
  appendFileSync(scene.path, `${theirs}${own.replaceAll(ONE, TWO)}\nnot JSON\n{"v":1}\n`);
  expect(scene.kinds()).toEqual({ ignored: 4, kinds: { [ONE]: "dismissed" } });
});

test("half a character in a line breaks nothing", async () => {
  const scene = new Scene();
  await scene.say("dismissed", ONE);
  const [own = ""] = readFileSync(scene.path, "utf8").split("\n");
  appendFileSync(scene.path, `${own.replace("a reason", "a \\ud800 reason")}\n`);
  expect(scene.kinds()).toEqual({ ignored: 1, kinds: { [ONE]: "dismissed" } });
});

test("a signature of a revoked key silences nothing", async () => {
  const scene = new Scene();
  await scene.say("dismissed", ONE);
  const key = scene.place.keyring.current("operator")?.key ?? "";
  scene.place.keyring.revoke("operator", key);
  expect(scene.kinds()).toEqual({ ignored: 1, kinds: {} });
});

test("a line that a crash cut short takes no other one with it", async () => {
  const scene = new Scene();
  await scene.say("dismissed", ONE);
  writeFileSync(scene.path, readFileSync(scene.path, "utf8").slice(0, -40));
  await scene.say("dismissed", TWO);
  expect(scene.kinds()).toEqual({ ignored: 1, kinds: { [TWO]: "dismissed" } });
});

test("a baseline of any size is kept", async () => {
  const scene = new Scene();
  const identities = Array.from({ length: 2_500 }, (_, n) => String(n).padStart(64, "0"));
  await addKnownFindings(scene.place, { kind: "baseline", identities, why: "old", about: "all" });
  expect(readKnownFindings(scene.place).known.size).toBe(2_500);
});

test("a link in the place of the list is not followed, for reading or for writing", async () => {
  const scene = new Scene();
  const outside = join(scene.folder, "profile");
  writeFileSync(outside, "mine\n");
  await scene.say("dismissed", ONE);
  const { path } = scene;
  renameSync(path, join(scene.folder, "list"));
  symlinkSync(outside, path);
  await expect(scene.say("dismissed", ONE)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  expect(readFileSync(outside, "utf8")).toBe("mine\n");
  expect(() => scene.kinds()).toThrow(/\.jsonl is a link, and links are not followed/);
});

test("what was said of one project says nothing of another", async () => {
  const scene = new Scene();
  await scene.say("dismissed", ONE);
  const other = scene.placeOf("state", "other");
  expect(readKnownFindings(other).known.size).toBe(0);
  await scene.say("dismissed", TWO, other);
  expect([...readKnownFindings(other).known.keys()]).toEqual([TWO]);
  expect(Object.keys(scene.kinds().kinds)).toEqual([ONE]);
});

test("nothing of it lies in the project, where others write", async () => {
  const scene = new Scene();
  await scene.say("dismissed", ONE);
  await scene.say("restored", ONE);
  mkdirSync(scene.place.store, { recursive: true });
  const [first = ""] = readFileSync(scene.path, "utf8").split("\n");
  writeFileSync(join(scene.place.store, "known-findings.jsonl"), `${first}\n`);
  expect(scene.kinds()).toEqual({ ignored: 0, kinds: { [ONE]: "restored" } });
});

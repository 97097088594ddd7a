import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { BEAT_MS } from "../../src/flow/beat/beat-clock.ts";
import { readReviews } from "../../src/flow/vote/read-reviews.ts";
import { BeatFrame } from "../../src/schema/beat-frame.ts";
import { granted, reviewScene } from "../flow/vote/review-scene.ts";
import { verifies } from "../verifies.ts";
import { Shell } from "./shell.ts";

async function atTheDesk() {
  const scene = await reviewScene();
  const shell = new Shell();
  const { git } = scene;
  const io = { cwd: git.path, env: { ...git.env, SWORN_STATE_DIR: scene.place.state } };
  const run = (...argv: string[]) => shell.runWith(io, ...argv);
  return { ...scene, run };
}

const FRAME = {
  type: "backbeat.beatframe.v1",
  cluster_id: "chorus",
  beat_index: 41,
  downbeat: false,
  phase: "execute",
  hlc: "7ffd:0001:abcd",
  deadline_at: "2026-11-16T10:08:00Z",
  tempo_bpm: 0.5,
  window_id: "7e9b0e6c4c9a4e59b7f2d9a3c1b2e4d5",
};

verifies(
  "004-12",
  "beats are shown, opened by hand and by frames, and do not go back",
  async () => {
    const { run, git } = await atTheDesk();
    const traces = (await run("trace", "ls", "--json")).out;
    const shown = await run("beat", "--json");
    expect(BeatFrame.parse((shown.json() as { frame: unknown }).frame)).toBeDefined();
    expect((await run("beat", "--report")).out).toBe("No beat was opened here.\n");
    // Looking begins no record.
    expect((await run("trace", "ls", "--json")).out).toBe(traces);
    const path = join(git.home, "frame.json");
    writeFileSync(path, JSON.stringify(FRAME));
    const opened = await run("beat", "--frame", path, "--json");
    expect(opened.json()).toMatchObject({ frame: { beat_index: 41, phase: "work" }, opened: true });
    expect(await run("beat", "--frame", path)).toMatchObject({
      exit: 3,
      out: expect.stringContaining("beats do not go back [ORDER_GUARD]"),
    });
    writeFileSync(path, JSON.stringify({ ...FRAME, phase: "reverb" }));
    expect((await run("beat", "--frame", path)).exit).toBe(2);
    expect((await run("beat", "--open", "--report")).exit).toBe(2);
    const next = await run("beat", "--open", "--phase", "review");
    expect(next.out).toMatch(/^Beat \d+ \(review\), open; 2 min, /);
    expect((await run("beat", "--report")).out).toMatch(/41 +work +1 +nobody +beat_opened/);
  },
);

/** Beats that nobody opens begin at fixed times of the day; one that did here would be counted. */
async function withinOneBeat(): Promise<void> {
  const leftMs = BEAT_MS - (Date.now() % BEAT_MS);
  if (leftMs < 10_000) await wait(leftMs + 100);
}

verifies(
  "004-12",
  "votes that are needed within beats are late when later ones were opened",
  async () => {
    const { run, place, trace, propose } = await atTheDesk();
    await withinOneBeat();
    const task = ["--task", "limit"];
    expect((await run("beat", "--open", ...task)).exit).toBe(0);
    const { completion_id: id } = granted(await propose({ dueBeats: 2 }));
    const yellow = ["vote", id, "yellow", "--why", "w", "--evidence", "src/a.js:2"];
    expect((await run(...yellow, "--mitigation", "Say why; nia; 3 beats")).exit).toBe(0);
    const review = () => readReviews(place, trace)[0];
    expect(review()).toMatchObject({ beats: 0, is_late: false, next: "wait" });
    const late: string[][] = [];
    for (let beat = 0; beat < 4; beat += 1) {
      expect((await run("beat", "--open", ...task)).exit).toBe(0);
      const { late: found } = (await run("beat", "--report", "--json", ...task)).json() as {
        late: { kind: string }[];
      };
      late.push(found.map(({ kind }) => kind));
    }
    expect(late).toEqual([[], [], ["review"], ["review", "mitigation"]]);
    expect(review()).toMatchObject({ beats: 4, is_late: true, next: "add-reviewers" });
  },
);

test("no ordinary command speaks of beats", async () => {
  const { run } = await atTheDesk();
  const task = ["--task", "limit"];
  await run("beat", "--open", ...task);
  for (const argv of [
    ["trace", "ls"],
    ["bus", "read", ...task],
    ["state", ...task],
    ["board", ...task],
    ["status", "--review", ...task],
  ]) {
    const { exit, out, err } = await run(...argv);
    expect(exit, argv.join(" ")).toBe(0);
    expect(out + err, argv.join(" ")).not.toMatch(/\bbeat/i);
  }
});

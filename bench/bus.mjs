// The message bus: many processes post at once, one follows; and what a post costs on a long bus.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Place } from "../dist/flow/place.js";
import { Bus } from "../dist/flow/talk/bus.js";
import { enrolAgent } from "../dist/flow/talk/join.js";
import { post } from "../dist/flow/talk/post.js";
import { absolute, median, quantile, runAlone, timed } from "./measure.mjs";

const PROCESSES = 8;
const POSTS = 10_000;
/** How late a follower may be, at the median. */
const LATE_MS_MAX = 50;
/** A post on a long bus may cost so many times what one on a short bus does. */
const GROWTH_MAX = 1.5;
const PIECE = 500;

function start(name, ...args) {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), args.map(String));
  const ended = once(child, "exit").then(([code]) => {
    if (code !== 0) throw new Error(`${name} ended with ${code}`);
  });
  return { child, ended, ready: once(child, "message") };
}

/** Everybody's words must be there, and in the order in which each of them spoke. */
function assertWhole(messages, agents, each) {
  for (const agent of agents) {
    const own = messages.filter((one) => one.agent === agent).map(({ text }) => text);
    const expected = Array.from({ length: each }, (_, index) => `${agent} ${index}`);
    if (JSON.stringify(own) !== JSON.stringify(expected)) {
      throw new Error(`${agent}: ${own.length} of ${each} posts, or not in order`);
    }
  }
}

async function together(folder, posts) {
  const [store, state] = [join(folder, ".sworn"), join(folder, "state")];
  const where = { place: new Place({ store, state }), task: "bench" };
  const agents = Array.from({ length: PROCESSES }, (_, index) => `speaker-${index}`);
  const each = posts / PROCESSES;
  (await Bus.begin(where)).close();
  const speakers = agents.map((agent) => start("./bus-speaker.mjs", store, state, agent, each));
  await Promise.all(speakers.map(({ ready }) => ready));
  const listener = start("./bus-listener.mjs", store, state, posts);
  await listener.ready;
  const told = once(listener.child, "message");
  const ms = await timed(async () => {
    for (const { child } of speakers) child.send("go");
    await Promise.all(speakers.map(({ ended }) => ended));
  });
  const [{ late }] = await told;
  await listener.ended;
  const on = Bus.open(where);
  assertWhole(on.talk().messages, agents, each);
  on.close();
  return { ms, late };
}

/** One process that stays open: what a piece of posts costs at the beginning and at the end. */
async function alone(folder, posts) {
  const place = new Place({ store: join(folder, ".sworn"), state: join(folder, "state") });
  const on = await Bus.begin({ place, task: "alone" });
  await enrolAgent(on, "speaker", ["executor"]);
  const pieces = [];
  for (let done = 0; done < posts; done += PIECE) {
    const ms = await timed(async () => {
      for (let index = 0; index < PIECE; index += 1) {
        await post(on, { agent: "speaker", role: "executor" }, { text: `word ${done + index}` });
      }
    });
    pieces.push(ms / PIECE);
  }
  on.close();
  // The first piece warms up.
  const [early, late] = [pieces.slice(1, 5), pieces.slice(-4)].map(median);
  return { early, late };
}

async function measure({ entries }) {
  const posts = Number(entries ?? POSTS);
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-"));
  try {
    const { ms, late } = await together(folder, posts);
    const one = await alone(folder, posts);
    const about = `${posts} posts`;
    return [
      absolute({
        name: `${about} of ${PROCESSES} processes, a second`,
        unit: "posts",
        ours: (posts * 1_000) / ms,
      }),
      absolute({
        name: "a follower is late, median",
        unit: "ms",
        ours: median(late),
        most: LATE_MS_MAX,
      }),
      absolute({ name: "a follower is late, 99 of 100", unit: "ms", ours: quantile(late, 0.99) }),
      absolute({ name: "a post of one process", unit: "ms", ours: one.late }),
      absolute({
        name: `the last of ${about} against the first`,
        unit: "times",
        ours: one.late / one.early,
        most: GROWTH_MAX,
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runAlone(import.meta.url, measure);

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { assert } from "../../base/index.ts";
import type { Place } from "../place.ts";
import { readTrace } from "../trace/look.ts";
import type { Ground } from "./ground.ts";
import { type Attempt, fails, holds } from "./guarantee.ts";
import type { Product } from "./product.ts";
import { message, SAMPLE_SESSION } from "./sample-session.ts";

/** More than it gets the time for. */
const MESSAGES = 20_000;
const ENTRIES_SEEN = 10;
const LOOK_EVERY_MS = 20;

/** The runtime is killed while it writes; what was recorded stays, and it goes on from there. */
export const killedRuntime: Attempt = {
  name: "a killed runtime that resumes",
  tried: "a runtime killed with SIGKILL while it records, then continued",
  make: async (product, ground) => {
    const place = ground.place();
    const { seen, trace } = await killedWhileRecording(product, ground, place);
    const recorder = product.resume(place, trace);
    const kept = recorder.head.size;
    try {
      const { refusal } = await recorder.record([message("Go on.")], { artifactRoots: [] });
      if (refusal) return fails(`it cannot be continued: ${refusal.reason}`);
    } finally {
      recorder.close();
    }
    const lines = readTrace(place, trace).map((entry) => JSON.stringify(entry));
    if (lines.length !== kept + 1 || seen.some((line, at) => lines[at] !== line)) {
      return fails(`of ${seen.length} entries that were on disk, not all are there as they were`);
    }
    const options = { profile: "default", mode: "full", threads: 0 } as const;
    const outcome = await product.verify(async () => place, trace, options);
    if (outcome.kind !== "trace" || outcome.report.status === "fail") {
      return fails("what it left does not verify");
    }
    return holds(`all ${kept} entries kept, entry ${kept} added, and all of it verifies`);
  },
};

/** What was on disk before the runtime was killed, read by somebody else than the one who wrote it. */
async function killedWhileRecording(product: Product, ground: Ground, place: Place) {
  const [command, ...words] = product.self;
  assert(command !== undefined, "the product knows how it is started");
  const child = spawn(command, [...words, "trace", "record", "-"], {
    cwd: ground.project,
    env: { ...ground.env, SWORN_STATE_DIR: ground.state },
    stdio: ["pipe", "ignore", "ignore"],
    killSignal: "SIGKILL",
    signal: ground.signal,
  });
  const ended = once(child, "close");
  ended.catch(() => {});
  // It is killed while it is fed: that its end of the pipe breaks is what is wanted.
  child.stdin.on("error", () => {});
  try {
    child.stdin.write(script());
    const trace = await recordedEnough(child, place, ground.signal);
    const seen = readTrace(place, trace).map((entry) => JSON.stringify(entry));
    if (child.exitCode !== null) throw new Error(`the runtime ended by itself: ${child.exitCode}`);
    return { seen, trace };
  } finally {
    child.kill("SIGKILL");
    await ended.catch(() => {});
  }
}

function script(): string {
  const messages = Array.from({ length: MESSAGES }, (_, at) => message(`Message ${at}`));
  return [...SAMPLE_SESSION, ...messages].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Looks at the disk until enough is there. */
async function recordedEnough(child: ChildProcess, place: Place, signal: AbortSignal) {
  for (;;) {
    const [trace] = place.traces();
    if (trace !== undefined && place.heads(trace).isUsed()) {
      if (readTrace(place, trace).length >= ENTRIES_SEEN) return trace;
    }
    if (child.exitCode !== null) throw new Error(`the runtime ended by itself: ${child.exitCode}`);
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
}

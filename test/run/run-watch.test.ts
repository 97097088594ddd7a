import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { RunWatch } from "../../src/run/index.ts";
import { BwrapEngine, type Usage } from "../../src/sandbox/index.ts";
import { Limits } from "../../src/schema/execution.ts";

const PATIENCE = { idleMs: 300_000, stuckMs: 900_000 };
const used = (more: Partial<Usage> = {}): Usage => ({
  cpuMs: 0,
  peakBytes: undefined,
  processes: [],
  ...more,
});

test("silence is idle after a while and stuck after a longer one; output and work end it", () => {
  let usage: Usage | undefined = used();
  const watch = new RunWatch(() => usage, PATIENCE, 0);
  expect(watch.look(299_999)).toBe("active");
  expect(watch.look(300_000)).toBe("idle");
  watch.touch(310_000);
  expect(watch.look(310_001)).toBe("active");
  usage = used({ cpuMs: 20_000 });
  expect(watch.look(700_000)).toBe("active");
  usage = used({ cpuMs: 20_000, processes: [{ pid: 7, argv: ["make"] }] });
  expect(watch.look(1_100_000)).toBe("active");
  expect(watch.look(1_100_000 + 899_999)).toBe("idle");
  usage = undefined;
  expect(watch.look(1_100_000 + 900_000)).toBe("stuck");
});

test("something that only ticks along while it waits is silent; something that computes is not", () => {
  const watched = (cpuMsASecond: number, seconds: number) => {
    let cpuMs = 0;
    const watch = new RunWatch(() => used({ cpuMs }), PATIENCE, 0);
    let state = "";
    for (let second = 1; second <= seconds; second += 1) {
      // As a server inside an agent does: a little all the time, and now and then more at once.
      cpuMs += second % 30 === 0 ? cpuMsASecond * 20 : cpuMsASecond;
      state = watch.look(second * 1_000);
    }
    return state;
  };
  expect(watched(17, 320)).toBe("idle");
  expect(watched(17, 920)).toBe("stuck");
  expect(watched(100, 920)).toBe("active");
});

test("a sandbox is seen from outside: what runs in it, its processor time and its memory", async () => {
  const engine = new BwrapEngine();
  const prepared = await engine.prepare({
    id: `watch-${process.pid}`,
    root: { kind: "host" },
    argv: ["sh", "-c", "sleep 20 & i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; sleep 20"],
    cwd: "/workspace/data",
    env: { PATH: "/usr/bin:/bin" },
    mounts: [],
    limits: Limits.parse({}),
  });
  prepared.stdout.resume();
  prepared.stderr.resume();
  const watch = new RunWatch(() => prepared.usage(), PATIENCE, 0);
  prepared.begin();
  const seesAll = () => watch.processes.filter(({ argv }) => argv[0] === "sleep").length === 2;
  for (let looks = 0; looks < 1_000 && !seesAll(); looks += 1) {
    watch.look(looks);
    await pause(20);
  }
  prepared.stop("seen");
  await prepared.end;
  prepared.release();
  expect(watch.processes.map(({ argv }) => argv[0])).toEqual(
    expect.arrayContaining(["sh", "sleep"]),
  );
  expect(watch.cpuMs).toBeGreaterThan(0);
  expect(watch.peakBytes).toBeGreaterThan(100_000);
  expect(prepared.usage()).toBe(undefined);
});

import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { EgressProxy } from "../../../src/egress/index.ts";
import { exec } from "../../../src/flow/exec/exec.ts";
import type { ExecOutcome } from "../../../src/flow/exec/exec-outcome.ts";
import type { Attempt, Guarantee } from "../../../src/flow/prove-guarantees/guarantee.ts";
import { type Product, realProduct } from "../../../src/flow/prove-guarantees/product.ts";
import { ATTEMPTS, proveGuarantees } from "../../../src/flow/prove-guarantees/prove-guarantees.ts";
import { Recorder } from "../../../src/flow/record/recorder.ts";
import { verifyTarget } from "../../../src/flow/trace/verify-target.ts";
import { SWORN } from "../../fake/child.ts";

const REAL = realProduct([process.execPath, SWORN]);
const NEVER = new AbortController().signal;
/** Where attempts were made; nothing of them stays. */
const used: string[] = [];

afterEach(() => {
  expect(used.length).toBeGreaterThan(0);
  expect(used.splice(0).filter((folder) => existsSync(folder))).toEqual([]);
});

const watched = (attempt: Attempt): Attempt => ({
  ...attempt,
  make: (product, ground) => {
    used.push(ground.folder);
    return attempt.make(product, ground);
  },
});

/** Tries one guarantee with parts of the product that do not do what they should. */
async function tried(name: string, broken: Partial<Product>) {
  const attempts = ATTEMPTS.filter((one) => one.name === name).map(watched);
  const [found] = await proveGuarantees(
    { ...REAL, ...broken },
    { path: process.env["PATH"], signal: NEVER, attempts },
  );
  return found;
}

const says = (text: string, holds = false) =>
  expect.objectContaining({ holds, answered: expect.stringContaining(text) });

/** Lets everything pass. */
const verify: typeof verifyTarget = async (...given) => {
  const outcome = await verifyTarget(...given);
  if (outcome.kind !== "trace") return outcome;
  return { ...outcome, report: { ...outcome.report, status: "pass", failures: [] } };
};

/** What a run that counts would give. */
const COUNTS: ExecOutcome = {
  trace: "trace_1",
  refused: undefined,
  exit: 0,
  limit: undefined,
  manifest: undefined,
  manifestPath: undefined,
  egress: [],
};

test("a verifier that lets everything pass is noticed", async () => {
  expect(await tried("a flipped byte", { verify })).toEqual(says("the changed record verifies"));
  expect(await tried("a cut tail", { verify })).toEqual(says("the cut record verifies"));
  expect(await tried("a forged approval", { verify })).toEqual(says("rewritten review verifies"));
});

test("a verifier that fails everything proves nothing", async () => {
  const nothing: typeof verifyTarget = async (...given) => {
    const outcome = await verifyTarget(...given);
    if (outcome.kind !== "trace") return outcome;
    return { ...outcome, report: { ...outcome.report, status: "fail" } };
  };
  for (const name of ["a flipped byte", "a cut tail", "a forged approval"]) {
    expect(await tried(name, { verify: nothing })).toEqual(says("the record as it was"));
  }
});

test("a store that takes an older copy for the whole is noticed", async () => {
  let calls = 0;
  // The honest store is continued; afterwards it does not look whether anything is missing.
  const resume: Product["resume"] = (place, id) => {
    calls += 1;
    return calls === 1 ? Recorder.resume(place, id) : Recorder.start(place);
  };
  expect(await tried("a cut tail", { resume })).toEqual(says("the older copy was taken"));
});

test("a recorder that lets a planner approve its own proposal is noticed", async () => {
  const record: Product["record"] = async (recorder, requests, options) => {
    const isForged = requests[0]?.type === "proposal_reviewed";
    return isForged ? { recorded: 1 } : recorder.record(requests, options);
  };
  expect(await tried("a forged approval", { record })).toEqual(says("was recorded"));
});

test("a checker that believes every citation is noticed", async () => {
  const check: Product["check"] = async (...given) => {
    const outcome = await REAL.check(...given);
    const reports = outcome.reports.map((report) => ({
      ...report,
      findings: report.findings.map((one) => ({ ...one, verdict: "CONFIRMED" as const })),
    }));
    return { ...outcome, reports };
  };
  expect(await tried("a phantom citation", { check })).toEqual(says("CONFIRMED"));
});

test("a runtime that believes an agent's word about tests is noticed", async () => {
  const claim = { kind: "tests", count: 12, isOfAll: true, text: "All 12 tests pass." } as const;
  const believed = { claim, verdict: "CONFIRMED", reason: "it says so" } as const;
  const came = { trace: "t", refused: undefined, info: undefined, saved: undefined };
  const runAgent: Product["runAgent"] = async () => ({
    ...{ ...came, said: [believed], use: undefined, troubles: [], isDone: false },
  });
  expect(await tried("a lie about tests", { runAgent })).toEqual(says("CONFIRMED: it says so"));
});

test("a lie that nobody could look into does not hold, and says what to install", async () => {
  const claim = { kind: "tests", count: 12, isOfAll: true, text: "All 12 tests pass." } as const;
  const open = { claim, verdict: "UNVERIFIED", reason: "not every process was seen" } as const;
  const came = { trace: "t", refused: undefined, info: undefined, saved: undefined };
  const runAgent: Product["runAgent"] = async () => ({
    ...{ ...came, said: [open], use: undefined, troubles: [], isDone: false },
  });
  expect(await tried("a lie about tests", { runAgent })).toEqual(says("install strace"));
});

test("a look at tests that sees nothing, and one that blames everything, are noticed", async () => {
  const name = "a weakened test";
  expect(await tried(name, { weakened: async () => [] })).toEqual(says("nothing was found"));
  const blame = { kind: "unread", severity: "weakened", path: "a", message: "bad" } as const;
  const weakened: Product["weakened"] = async () => [{ ...blame, side: "after" }];
  expect(await tried(name, { weakened })).toEqual(says("an honest commit is blamed: bad"));
});

test("a proxy that lets a POST through is noticed", async () => {
  const openProxy: Product["openProxy"] = (options) =>
    EgressProxy.start({
      ...options,
      rules: options.rules.map((rule) => ({
        ...rule,
        methods: ["GET", "POST"],
        bodyBytesMax: 1_000,
      })),
    });
  expect(await tried("a blocked POST", { openProxy })).toEqual(says("the POST arrived"));
  expect(await tried("a blocked POST", {})).toEqual(says("refused by method", true));
});

test("a sandbox without a limit of processes is noticed", async () => {
  const unlimited: Product["exec"] = async ({ onOutput }) => {
    onOutput("stdout", Buffer.from(".".repeat(200)));
    return COUNTS;
  };
  expect(await tried("a fork bomb", { exec: unlimited })).toEqual(says("200 of 200 processes"));
  const silent = await tried("a fork bomb", { exec: async () => COUNTS });
  expect(silent).toEqual(says("0 of 200 processes"));
});

test("a sandbox whose limit was left out lets the whole bomb go off, and says so", async () => {
  const lax: Product["exec"] = (request) =>
    exec({ ...request, limits: { ...request.limits, pids: 250 } });
  expect(await tried("a fork bomb", { exec: lax })).toEqual(says("200 of 200 processes"));
});

test("a run that counts although it leaves a key is noticed, copied or not", async () => {
  const copies: Product["exec"] = async ({ out = "" }) => {
    mkdirSync(out);
    writeFileSync(join(out, "config.txt"), "key");
    return COUNTS;
  };
  const name = "a leaked token";
  expect(await tried(name, { exec: copies })).toEqual(says("with the key was copied"));
  const keeps: Product["exec"] = async (request) =>
    existsSync(join(request.folder, "../honest")) ? COUNTS : copies(request);
  expect(await tried(name, { exec: keeps })).toEqual(says("the run with the key counts"));
});

test("a vote that is counted although its author made the commit is noticed", async () => {
  const vote: Product["vote"] = async () => ({ seq: 1, replaced: false, moved: null });
  expect(await tried("a self-vote", { vote })).toEqual(says("the author's vote was counted"));
  const no = { kind: "refused", rule: "ROLE_GUARD", reason: "nobody votes" } as const;
  const nobody = await tried("a self-vote", { vote: async () => no });
  expect(nobody).toEqual(says("the reviewer's vote is refused"));
});

test("an exception that counts after its time is noticed", async () => {
  const dryRun: Product["dryRun"] = async (request) => {
    const { plan } = await REAL.dryRun(request);
    return { plan, refused: undefined };
  };
  expect(await tried("an expired exception", { dryRun })).toEqual(says("still counts"));
});

test("a runtime that starts over instead of going on is noticed", async () => {
  const resume: Product["resume"] = (place) => Recorder.start(place);
  const name = "a killed runtime that resumes";
  expect(await tried(name, { resume })).toEqual(says("it cannot be continued"));
  const self = [process.execPath, "--eval", "process.exit(3)"];
  expect(await tried(name, { self })).toEqual(says("the runtime ended by itself: 3"));
});

test("what throws, hangs or takes too long does not hold, and nothing waits for it", async () => {
  const make = (act: Attempt["make"]) => watched({ name: "n", tried: "t", make: act });
  const attempts = [
    make(async () => {
      throw new Error("no such\nprogram");
    }),
    make(() => new Promise(() => {})),
    make(async () => ({ answered: "yes", holds: true })),
  ];
  const options = { path: undefined, signal: NEVER, attempts, milliseconds: 50, graceMs: 10 };
  const found = await proveGuarantees(REAL, options);
  expect(found.map(({ answered, holds }) => [holds, answered])).toEqual([
    [false, "no such program"],
    [false, "it did not answer in time"],
    [true, "yes"],
  ]);
});

test("called off, it decides nothing and leaves nothing behind", async () => {
  const stop = new AbortController();
  const told: Guarantee[] = [];
  const attempts = [
    watched({
      ...{ name: "n", tried: "t" },
      make: async (_, ground) => {
        await ground.commit({ "a.txt": "a\n" });
        stop.abort(new Error("called off"));
        ground.signal.throwIfAborted();
        return { answered: "", holds: true };
      },
    }),
    // Whether it calls itself kept or broken: its word comes after the end.
    ...[true, false].map((holds) =>
      watched({
        ...{ name: `says ${holds}`, tried: "t" },
        make: async (_, ground) => {
          if (!ground.signal.aborted) await once(ground.signal, "abort");
          return { answered: "", holds };
        },
      }),
    ),
    { ...{ name: "never begun", tried: "t" }, make: () => Promise.reject(new Error("begun")) },
  ];
  const proving = proveGuarantees(REAL, {
    path: process.env["PATH"],
    signal: stop.signal,
    onTold: (one) => told.push(one),
    attempts,
  });
  await expect(proving).rejects.toThrow("called off");
  expect(told.map(({ name, holds, isStopped }) => [name, holds, isStopped])).toEqual([
    ["n", false, true],
    ["says true", false, true],
    ["says false", false, true],
    ["never begun", false, true],
  ]);
});

test("each is told as soon as it and all before it have ended, in their order", async () => {
  const told: string[] = [];
  let endLast: (() => void) | undefined;
  const last = new Promise<void>((end) => {
    endLast = end;
  });
  const made = (name: string, until?: Promise<void>): Attempt =>
    watched({
      ...{ name, tried: "nothing" },
      make: async () => {
        await until;
        return { answered: "yes", holds: true };
      },
    });
  const found = await proveGuarantees(REAL, {
    ...{ path: process.env["PATH"], signal: NEVER },
    attempts: [made("one"), made("two"), made("three", last)],
    onTold: ({ name }) => {
      told.push(name);
      // The last one cannot end before both others were told of.
      if (told.length === 2) endLast?.();
    },
  });
  expect(told).toEqual(["one", "two", "three"]);
  expect(found.map(({ name }) => name)).toEqual(told);
});

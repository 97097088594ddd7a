import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ExecRequest } from "../exec/exec.ts";
import type { ExecOutcome } from "../exec/exec-outcome.ts";
import type { Ground } from "./ground.ts";
import { type Attempt, fails, holds } from "./guarantee.ts";
import { noSandbox } from "./no-sandbox.ts";

const PIDS_MAX = 64;
/** So many that a limit is needed, and so few that a machine without one goes on. */
const BOMB = 200;
const SECONDS_MAX = 30;
/** The rule about secrets in what a task leaves. */
const SECRET_RULE = "W.2";

/** A run of one command in the project of an attempt, with nothing to come in or go out. */
export function sealedRun(
  ground: Ground,
  argv: readonly string[],
  more: Partial<ExecRequest> = {},
): ExecRequest {
  const { project: folder, env, home, state, signal } = ground;
  return {
    ...{ argv, folder, env, home, state, signal, stdin: undefined, out: undefined },
    ...{ environment: "host", rationale: "to be tried", engine: "bwrap", seed: "0" },
    ...{ pull: [], isPinned: false, installs: false, spendThousandths: 0 },
    limits: { step_seconds: SECONDS_MAX },
    placeFor: () => ground.place(),
    onStep: () => {},
    onOutput: () => {},
    ...more,
  };
}

/** A task starts processes until it is stopped. */
export const forkBomb: Attempt = {
  name: "a fork bomb",
  tried: `a sealed command that starts ${BOMB} processes where ${PIDS_MAX} are allowed`,
  make: async (product, ground) => {
    await ground.commit({ "hello.txt": "hello\n" });
    // Dots are counted here: nothing that the shell could say of itself is believed.
    const script = `i=0; while [ $i -lt ${BOMB} ]; do sleep 60 & printf .; i=$((i+1)); done; echo`;
    let started = 0;
    const outcome = await product.exec(
      sealedRun(ground, ["sh", "-c", script], {
        limits: { step_seconds: SECONDS_MAX, pids: PIDS_MAX },
        onOutput: (stream, chunk) => {
          if (stream === "stdout") started += chunk.toString().split(".").length - 1;
        },
      }),
    );
    if (outcome.refused) return noSandbox(outcome.refused);
    const count = `${started} of ${BOMB} processes could be started`;
    if (started === 0 || started >= PIDS_MAX) return fails(count);
    return holds(`${count}, then ${endOf(outcome)}; the machine went on`);
  },
};

/** A task leaves a credential in what would be handed over. */
export const leakedToken: Attempt = {
  name: "a leaked token",
  tried: "a sealed command that leaves an access key in its output; then one that leaves a word",
  make: async (product, ground) => {
    await ground.commit({ "hello.txt": "hello\n" });
    // Made here, so that no scanner finds one in these sources; it opens nothing.
    const token = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");
    const out = join(ground.folder, "honest");
    const honest = await product.exec(sealedRun(ground, leaving("hello"), { out }));
    if (honest.refused) return noSandbox(honest.refused);
    if (!existsSync(join(out, "config.txt"))) return fails("an honest run's output is not copied");
    const leak = join(ground.folder, "leak");
    const { refused } = await product.exec(sealedRun(ground, leaving(token), { out: leak }));
    if (existsSync(join(leak, "config.txt"))) return fails("the output with the key was copied");
    if (refused?.rule !== SECRET_RULE) {
      return fails(refused ? `${refused.rule}: ${refused.reason}` : "the run with the key counts");
    }
    return holds(`${refused.rule}: ${refused.reason}; nothing was copied`);
  },
};

function leaving(word: string): string[] {
  return ["sh", "-c", `echo key = ${word} > /workspace/output/config.txt`];
}

function endOf({ exit, limit }: ExecOutcome): string {
  return limit === undefined ? `the command ended with ${exit}` : `it was ended by ${limit}`;
}

import { EgressProxy } from "../../egress/index.ts";
import type { AgentRunner } from "../agent/agent-runner.ts";
import { weakenedBetween } from "../change/weakened-between.ts";
import { checkText } from "../check/check.ts";
import { dryRun, exec } from "../exec/exec.ts";
import { Recorder } from "../record/recorder.ts";
import { verifyTarget } from "../trace/verify-target.ts";
import { castVote } from "../vote/cast-vote.ts";

/**
 * The parts of the product that give the guarantees. Attempts reach them through this, so that a
 * test can put a broken one in its place and see that the attempt notices.
 */
export interface Product {
  readonly verify: typeof verifyTarget;
  readonly record: (
    recorder: Recorder,
    ...given: Parameters<Recorder["record"]>
  ) => ReturnType<Recorder["record"]>;
  readonly resume: typeof Recorder.resume;
  readonly check: typeof checkText;
  readonly weakened: typeof weakenedBetween;
  readonly vote: typeof castVote;
  readonly exec: typeof exec;
  readonly dryRun: typeof dryRun;
  readonly openProxy: typeof EgressProxy.start;
  readonly runAgent: (
    runner: AgentRunner,
    ...given: Parameters<AgentRunner["run"]>
  ) => ReturnType<AgentRunner["run"]>;
  /** The command that runs this very program, for a runtime that is killed. */
  readonly self: readonly string[];
}

/** The product as it is installed here. */
export function realProduct(self: readonly string[]): Product {
  return {
    verify: verifyTarget,
    record: (recorder, ...given) => recorder.record(...given),
    resume: (...given) => Recorder.resume(...given),
    check: checkText,
    weakened: weakenedBetween,
    vote: castVote,
    exec,
    dryRun,
    openProxy: (options) => EgressProxy.start(options),
    runAgent: (runner, request) => runner.run(request),
    self,
  };
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownedBy } from "../../base/index.ts";
import { makeRepository } from "../../repo/index.ts";
import type { AgentEvent } from "../../schema/agent.ts";
import { Place } from "../place.ts";
import { AgentRunner } from "./agent-runner.ts";
import type { ChosenAgent } from "./choose-agent.ts";
import { complaintIn } from "./complaint.ts";
import { promptFor } from "./prompt-for.ts";
import type { AgentOutcome } from "./run-agent.ts";

const FILE = "sworn-try.txt";
const WORD = "ready";
const TASK = `Create a file called ${FILE} in the current folder that holds the one word ${WORD}. Change nothing else. Then say that you are done, in one sentence.`;
/** Enough for the slowest of them to start, ask, write and end. */
const SECONDS_MAX = 180;

/** What came of a tiny run. */
export interface TriedAgent {
  readonly outcome: AgentOutcome;
  /** Whether the file that was asked for is there and nothing else was touched: its word does not count. */
  readonly works: boolean;
  /** What it complained about last; its files are gone with the repository it was tried in. */
  readonly complaint: string;
}

export interface TryOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly state: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onStep: (words: string) => void;
}

/** Lets an agent do one tiny task in a repository of its own, and looks at what it did. */
export async function tryAgent(agent: ChosenAgent, options: TryOptions): Promise<TriedAgent> {
  const { env, home, state, signal, onEvent, onStep } = options;
  const folder = mkdtempSync(join(tmpdir(), `sworn-try-${ownedBy()}`));
  try {
    const project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "README.md"), "# A place to try an agent in\n");
    await makeRepository(project, { env });
    const place = new Place({ store: join(folder, ".sworn"), state: join(state, "try") });
    const runner = await AgentRunner.open({ folder: project, env, home, placeFor: () => place });
    try {
      const limits = agent.config.limits;
      const outcome = await runner.run({
        agent: agent.name,
        driver: agent.driver,
        service: agent.service,
        limits: { ...limits, seconds: Math.min(limits.seconds, SECONDS_MAX) },
        prompt: promptFor(TASK, { limits, isRoot: true, hasTooling: false }),
        task: "try",
        signal,
        onEvent,
        onStep,
      });
      const { info } = outcome;
      const complaint = info?.status === "failed" ? complaintIn(info.stderr_path) : "";
      return { outcome, works: didTask(outcome), complaint };
    } finally {
      await runner.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function didTask({ saved, info }: AgentOutcome): boolean {
  const [only, ...more] = saved?.changed ?? [];
  const isOnly = more.length === 0 && only?.path === FILE && only.how === "added";
  return isOnly && info?.status === "completed";
}

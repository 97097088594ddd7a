import { onTestFinished } from "vitest";
import type { Place, PlaceOptions } from "../../../src/flow/place.ts";
import type { Author, Said } from "../../../src/flow/talk/bus.ts";
import { Bus, isRefused } from "../../../src/flow/talk/bus.ts";
import { enrolAgent } from "../../../src/flow/talk/join.ts";
import { localSource } from "../../../src/flow/trace/local-source.ts";
import { openForReading } from "../../../src/flow/trace/reading.ts";
import { verifyTrace } from "../../../src/verify/index.ts";
import type { Refusal } from "../../../src/view/index.ts";
import { temporaryPlace } from "../../fake/sandbox.ts";
import { sharedFolder } from "../../shared-folder.ts";

export const LEAD: Author = { agent: "lead", role: "planner" };
export const NIA: Author = { agent: "nia", role: "executor", run: "run-1" };

/** The keys of all tests in one process: making them anew for each would take longer than the tests. */
const state = sharedFolder("keys");

/** A place of the test's own, with the keys that are there already. */
export function talkPlace(options: Partial<PlaceOptions> = {}): Place {
  return temporaryPlace({ state, ...options });
}

/** A task that is talked about, with an agent that joined it. */
export async function talkAbout(
  task: string | undefined = "login",
  options: Partial<PlaceOptions> = {},
): Promise<Bus> {
  const on = await opened({ place: talkPlace(options), task });
  expectDone(await enrolAgent(on, NIA.agent, [NIA.role]));
  return on;
}

/** Opens a bus that is closed after the test. */
export async function opened(where: Parameters<typeof Bus.begin>[0]) {
  const on = await Bus.begin(where);
  onTestFinished(() => on.close());
  return on;
}

export function said<T extends Said>(answer: T | Refusal): T {
  if (isRefused(answer)) throw new Error(`refused: ${answer.reason} [${answer.rule}]`);
  return answer;
}

export function refused(answer: object): Refusal {
  if (isRefused(answer)) return answer;
  throw new Error(`not refused: ${JSON.stringify(answer)}`);
}

function expectDone(refusal: Refusal | undefined): void {
  if (refusal) throw new Error(refusal.reason);
}

/** What the verifier finds wrong with the trace; nothing, if all is well. */
export async function failuresOf({ place, trace }: Bus): Promise<string[]> {
  const ledger = openForReading(place, trace);
  try {
    const options = { profile: "default", mode: "full", threads: 0 } as const;
    const { failures } = await verifyTrace(localSource(place, ledger), options);
    return failures.map(({ code, message }) => `${code}: ${message}`);
  } finally {
    ledger.close();
  }
}

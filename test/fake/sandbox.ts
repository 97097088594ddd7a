import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Place, type PlaceOptions } from "../../src/flow/place.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { EventRequest } from "../../src/schema/index.ts";

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sworn-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A project with a store and a user's state beside it, gone after the test. */
export function temporaryPlace(options: Partial<PlaceOptions> = {}): Place {
  const folder = temporaryFolder();
  return new Place({
    store: join(folder, "project", ".sworn"),
    state: join(folder, "state"),
    ...options,
  });
}

export const AGENTS = [
  { agent: "ada", roles: ["planner"] },
  { agent: "eli", roles: ["executor"] },
  { agent: "cleo", roles: ["critic"] },
  { agent: "otto", roles: ["auditor"] },
  { agent: "mara", roles: ["operator"] },
];

/** A request as a script line would give it: parsed and filled with defaults. */
export function request(
  agent: string,
  role: string,
  type: string,
  body: object,
  artifacts?: object[],
): EventRequest {
  return EventRequest.parse({
    actor: { agent, role },
    type,
    body,
    ...(artifacts ? { artifacts } : {}),
  }) as EventRequest;
}

export function opening(body: object = {}): EventRequest {
  return request("ada", "planner", "session_initialized", {
    task: "t1",
    objective: "Do it",
    agents: AGENTS,
    ...body,
  });
}

/** Records requests and gives the outcome of the last call; closes the recorder after the test. */
export async function recording(place: Place, requests: readonly EventRequest[]) {
  const recorder = Recorder.start(place);
  onTestFinished(() => recorder.close());
  const outcome = await recorder.record(requests, { artifactRoots: [] });
  return { recorder, outcome };
}

import { setTimeout as wait } from "node:timers/promises";
import {
  checkDeliverable,
  type Deliverable,
  NOT_LOOKED,
  ONE_LOOK,
  waitForFiles,
} from "../../verify/contract/index.ts";
import { type OpenedContract, outputFolder } from "./contract-file.ts";
import { type Delivered, readDeliveries } from "./deliveries.ts";

/** How the files are waited for. */
export interface LookOptions {
  readonly root: string;
  readonly wait: boolean;
  readonly signal: AbortSignal;
  readonly onWait: (seconds: number) => void;
  /** Given by tests, which do not sleep. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** The files of a team where any is there; else why there is nothing to judge. */
export type Look =
  | { readonly kind: "found"; readonly folder: string; readonly deliveries: readonly Delivered[] }
  | {
      readonly kind: "abort";
      readonly folder: string;
      readonly reason: string;
      readonly deliverables: readonly Deliverable[];
    };

/** Looks for the team's files, once, or as often as the format says. */
export async function lookForFiles(opened: OpenedContract, options: LookOptions): Promise<Look> {
  const { teammates, nonce } = opened.contract;
  const sleep = options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal }));
  let waiting = options.wait ? NOT_LOOKED : ONE_LOOK;
  for (;;) {
    const folder = outputFolder(options.root, opened);
    const deliveries = readDeliveries(folder, opened.contract);
    const deliverables = deliveries.map(({ teammate, delivery }) =>
      checkDeliverable(teammate, delivery, nonce),
    );
    const found = deliverables.filter(({ status }) => status !== "missing").length;
    const answer = waitForFiles(waiting, teammates.length, found);
    if (answer.kind === "proceed") return { kind: "found", folder, deliveries };
    if (answer.kind === "abort") {
      return { kind: "abort", folder, reason: answer.reason, deliverables };
    }
    options.onWait(answer.seconds);
    await sleep(answer.seconds * 1_000, options.signal);
    waiting = answer.waiting;
  }
}

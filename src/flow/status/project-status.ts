import { statSync } from "node:fs";
import { messageOf } from "../../base/index.ts";
import { FINAL_STATES, type SessionState } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { findPlanningTrace } from "../plan/planner/recall-planning.ts";
import { isUnbegun } from "../record/assert-begun.ts";
import { findTalkTrace } from "../talk/talk-trace.ts";
import type { Tempo } from "../vote/read-reviews.ts";
import { calledOff, deliveryItems, handedOver } from "./delivery-items.ts";
import { exceptionItems } from "./exception-items.ts";
import { type Glance, readGlance } from "./glance.ts";
import { questionItems } from "./question-items.ts";
import { reviewItems } from "./review-items.ts";
import { type Cost, costOf } from "./run-cost.ts";
import { runItems } from "./run-items.ts";
import { isOldPlanning, sessionItems, undelivered } from "./session-items.ts";
import { byUrgency, type StatusItem, URGENCIES, type Urgency } from "./status-item.ts";

/** So many traces are read, the newest ones. */
const TRACES_MAX = 2_000;

/** Everything of a project that somebody may have to look at, the most urgent first. */
export interface ProjectStatus {
  readonly items: readonly StatusItem[];
  readonly counts: Readonly<Record<Urgency, number>>;
  readonly sessions: { readonly open: number; readonly completed: number; readonly ended: number };
  readonly cost: Cost;
  /** Older traces that were not read. */
  readonly unread: number;
}

type Known = Map<string, { readonly stamp: string; readonly glance: Glance }>;

/** What a trace belongs to, where something in the store points at it. */
interface Pointers {
  /** Null for the project's own talk. */
  readonly talk: ReadonlyMap<string, string | null>;
  readonly plannings: ReadonlyMap<string, string>;
  readonly items: readonly StatusItem[];
}

/**
 * Looks at a project again and again. Reads only, takes no lock, and reads a trace once more only where
 * its file has changed; what cannot be read is an item of its own and keeps nothing else from being shown.
 */
export class StatusReader {
  readonly #place: Place;
  readonly #tempo: Tempo;
  #known: Known = new Map();

  constructor(place: Place, tempo: Tempo = {}) {
    this.#place = place;
    this.#tempo = tempo;
  }

  async read(): Promise<ProjectStatus> {
    const place = this.#place;
    const traces = place.traces();
    const read = traces.slice(-TRACES_MAX);
    const { glances, damaged } = await this.#glances(read);
    const pointers = pointersIn(place);
    const runs = runItems(place);
    const deliveries = deliveryItems(glances);
    const unwanted = calledOff(glances);
    const told = new Set([...handedOver(glances), ...deliveries.map(({ name }) => name)]);
    const items = [
      ...damaged,
      ...pointers.items,
      ...runs.items,
      ...(await exceptionItems(place)),
      ...deliveries,
      ...glances.flatMap((one) =>
        itemsOf(place, one, { ...pointers, told, unwanted, tempo: this.#tempo }, runs.traces),
      ),
    ].toSorted(byUrgency);
    const uses = new Set(glances.flatMap((one) => [...one.uses]));
    return {
      items,
      counts: countsOf(items),
      sessions: sessionsOf(place, glances, pointers),
      cost: costOf(place, uses, runs),
      unread: traces.length - read.length,
    };
  }

  async #glances(traces: readonly string[]) {
    const [glances, damaged]: [Glance[], StatusItem[]] = [[], []];
    const known: Known = new Map();
    for (const trace of traces) {
      try {
        const stamp = stampOf(this.#place.ledgerPath(trace));
        const before = this.#known.get(trace);
        const glance =
          before?.stamp === stamp ? before.glance : await readGlance(this.#place, trace);
        // Whoever began it was cut short before the first entry, or is about to write that.
        if (glance.started === undefined && isUnbegun(this.#place, trace)) continue;
        known.set(trace, { stamp, glance });
        glances.push(glance);
      } catch (error) {
        damaged.push(damagedItem(trace, messageOf(error)));
      }
    }
    this.#known = known;
    return { glances, damaged };
  }
}

/** When and how much was written, of the file and of its log. */
function stampOf(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }))
    .map((stat) => (stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`))
    .join(", ");
}

function damagedItem(trace: string, about: string): StatusItem {
  return {
    ...{ urgency: "damaged", kind: "trace", name: trace, task: null, trace, at: null },
    ...{ state: "unreadable", waits_for: "you", about },
    next: `sworn trace fsck ${trace}`,
  };
}

function pointersIn(place: Place): Pointers {
  const talk = new Map<string, string | null>();
  const plannings = new Map<string, string>();
  const items: StatusItem[] = [];
  const follow = (name: string, act: () => void) => {
    try {
      act();
    } catch (error) {
      items.push({ ...damagedItem(name, messageOf(error)), trace: null, next: "sworn trace ls" });
    }
  };
  for (const task of [undefined, ...place.tasks()]) {
    const name = task ?? "project";
    follow(name, () => {
      const found = findTalkTrace({ place, task: task === "project" ? undefined : task });
      if (found !== undefined) talk.set(found, task ?? null);
    });
    if (task === undefined || task === "project") continue;
    follow(name, () => {
      const found = findPlanningTrace(place, task);
      if (found !== undefined) plannings.set(found, task);
    });
  }
  return { talk, plannings, items };
}

/** A trace of one kind is told of in the words of that kind, and once. */
function itemsOf(
  place: Place,
  glance: Glance,
  {
    talk,
    plannings,
    told,
    unwanted,
    tempo,
  }: Pointers & {
    readonly told: ReadonlySet<string>;
    readonly unwanted: ReadonlySet<string>;
    readonly tempo: Tempo;
  },
  runs: ReadonlySet<string>,
): StatusItem[] {
  const { trace, task } = glance;
  const isOwnKind = task === "exception" || task === "deliver" || runs.has(trace);
  const questions = questionItems(glance, talk.get(trace), place.clock());
  const isHeld = questions.some(({ kind }) => kind === "output");
  const isTold = isOwnKind || talk.has(trace) || isHeld;
  const agreed = guarded(trace, () => undelivered(place, glance, told) ?? []);
  const items = [
    ...questions,
    // The review says no more than that it is to be delivered.
    ...(agreed.length > 0 ? agreed : guarded(trace, () => reviewItems(place, glance, tempo))),
    ...(isTold
      ? []
      : guarded(trace, () =>
          sessionItems(place, glance, { planned: plannings.get(trace), unwanted }),
        )),
  ];
  // However many of its parts cannot be read, it is one damage.
  const damaged = items.filter(({ urgency }) => urgency === "damaged");
  return items.filter((one) => one.urgency !== "damaged" || one === damaged[0]);
}

/** Whatever one trace holds keeps the others from nothing. */
function guarded(trace: string, act: () => StatusItem | StatusItem[]): StatusItem[] {
  try {
    return [act()].flat();
  } catch (error) {
    return [damagedItem(trace, messageOf(error))];
  }
}

function countsOf(items: readonly StatusItem[]): Record<Urgency, number> {
  const counts = Object.fromEntries(URGENCIES.map((one) => [one, 0])) as Record<Urgency, number>;
  for (const { urgency } of items) counts[urgency] += 1;
  return counts;
}

function sessionsOf(
  place: Place,
  glances: readonly Glance[],
  { talk, plannings }: Pointers,
): ProjectStatus["sessions"] {
  const counts = { open: 0, completed: 0, ended: 0 };
  const delivered = handedOver(glances);
  for (const glance of glances) {
    if (talk.has(glance.trace)) continue;
    const isPlanned = plannings.has(glance.trace);
    if (isOldPlanning(glance, isPlanned)) counts[planningCount(glance)] += 1;
    else if (isOpen(place, glance, delivered)) counts.open += 1;
    else counts[countOf(glance.session.state)] += 1;
  }
  return counts;
}

/** What was agreed on and not handed over is not done; what cannot be read is told of as an item. */
function isOpen(place: Place, glance: Glance, delivered: ReadonlySet<string>): boolean {
  try {
    return undelivered(place, glance, delivered) !== undefined;
  } catch {
    return true;
  }
}

function countOf(state: SessionState) {
  if (state === "completed") return "completed";
  return FINAL_STATES.includes(state) ? "ended" : "open";
}

/** One that was planned anew before it ended, and one that came to no plan, ended early. */
function planningCount({ planned }: Glance) {
  return planned === undefined || planned === "unusable" ? "ended" : "completed";
}

import { FINAL_STATES } from "../../view/index.ts";
import { CALLED_OFF } from "../deliver/deliver-record.ts";
import { traceOfWork } from "../work/work-scene.ts";
import type { Glance } from "./glance.ts";
import { shellWord } from "./shell-word.ts";
import type { StatusItem } from "./status-item.ts";

const ASKED = /^deliver (?:work )?(trace_[0-9A-Z]{26}|[0-9a-z]{26}) to ([\w.-]{1,64})$/;

/** Deliveries that came to nothing. One that went through later, of the same to the same place, ends it. */
export function deliveryItems(glances: readonly Glance[]): StatusItem[] {
  const latest = new Map<string, Glance>();
  for (const glance of glances) {
    if (glance.task === "deliver") latest.set(glance.objective, glance);
  }
  const works = new Map(glances.map((one) => [one.trace, one]));
  return [...latest.values()].filter((one) => !isGone(one, works)).flatMap(itemOf);
}

/** What failed is handed over by nobody, however often somebody asks for it. */
function isGone({ objective }: Glance, works: ReadonlyMap<string, Glance>): boolean {
  const named = ASKED.exec(objective)?.[1] ?? "";
  const work = works.get(named) ?? works.get(traceOfWork(named));
  return work?.session.state === "failed" || work?.session.state === "aborted";
}

/** The works of which a delivery came to its end, or was called off. */
export function handedOver(glances: readonly Glance[]): ReadonlySet<string> {
  return new Set([...delivered(glances), ...endedWith(glances, isCalledOff)]);
}

/** The works that nobody wants any more: none of their deliveries came to its end, and one was called off. */
export function calledOff(glances: readonly Glance[]): ReadonlySet<string> {
  const done = new Set(delivered(glances));
  return new Set(endedWith(glances, isCalledOff).filter((work) => !done.has(work)));
}

const isCalledOff = ({ endedFor }: Glance): boolean => endedFor === CALLED_OFF;

function delivered(glances: readonly Glance[]): readonly string[] {
  return endedWith(glances, ({ session }) => session.state === "completed");
}

function endedWith(
  glances: readonly Glance[],
  isEnded: (glance: Glance) => boolean,
): readonly string[] {
  return glances.flatMap((one) => {
    const named = one.task === "deliver" ? ASKED.exec(one.objective)?.[1] : undefined;
    return named !== undefined && isEnded(one) ? [named] : [];
  });
}

function itemOf({ trace, session, objective, endedFor, last }: Glance): StatusItem[] {
  const { state } = session;
  if (state === "completed" || endedFor === CALLED_OFF) return [];
  const asked = ASKED.exec(objective);
  const again =
    asked === null
      ? `sworn trace show ${trace}`
      : `sworn deliver ${asked[1]} --to ${shellWord(asked[2] ?? "")}`;
  const isOver = FINAL_STATES.includes(state);
  return [
    {
      ...{ kind: "delivery", name: asked?.[1] ?? trace, task: "deliver", trace, at: last ?? null },
      urgency: isOver ? "blocked" : "runs",
      state,
      waits_for: isOver ? "you" : null,
      about: endedFor === undefined ? objective : `${objective}: ${endedFor}`,
      next: isOver ? again : `sworn trace show ${trace}`,
    },
  ];
}

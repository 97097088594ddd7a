/** What speaks for or against an agent being done; what is not known is left out. */
export interface Signs {
  /** What the runtime saw itself: the agent's process, and whether it ended in order. */
  readonly runtime?: "ended" | "running" | "failed";
  /** What the task list says. */
  readonly taskList?: "completed" | "open";
  /** Whether a Seal arrived. */
  readonly seal?: boolean;
  /** Whether the file is there. */
  readonly file?: boolean;
}

/** The answer, whose it is, and which weaker signs say otherwise. */
export interface Ended {
  readonly ended: boolean;
  readonly by: Authority | "nobody";
  readonly contradicted: readonly Authority[];
}

const AUTHORITIES = ["runtime", "task-list", "seal", "file"] as const;
/** Who can say that an agent has ended, strongest first. */
export type Authority = (typeof AUTHORITIES)[number];

/**
 * Whether an agent has ended, by the strongest sign there is: what the runtime saw, then the task
 * list, then the Seal, then the file. That it ended says nothing about what it delivered: without
 * a Seal that is partial at best.
 */
export function hasEnded(signs: Signs): Ended {
  const said = AUTHORITIES.flatMap((by) => {
    const ended = opinion(by, signs);
    return ended === undefined ? [] : [{ by, ended }];
  });
  const [first, ...weaker] = said;
  if (first === undefined) return { ended: false, by: "nobody", contradicted: [] };
  const against = weaker.filter(({ ended }) => ended !== first.ended);
  return { ended: first.ended, by: first.by, contradicted: against.map(({ by }) => by) };
}

function opinion(by: Authority, signs: Signs): boolean | undefined {
  switch (by) {
    case "runtime":
      return signs.runtime === undefined ? undefined : signs.runtime === "ended";
    case "task-list":
      return signs.taskList === undefined ? undefined : signs.taskList === "completed";
    case "seal":
      return signs.seal;
    case "file":
      return signs.file;
  }
}

import { canonicalize, sha256Hex } from "../base/index.ts";
import type { Handover } from "../schema/plan.ts";
import type { AskedQuestion, KnownFact, KnownRun, Talk } from "./talk.ts";

/** What a task knows at one moment. */
export interface Board {
  readonly task: string | null;
  readonly questions: readonly BoardQuestion[];
  readonly facts: readonly KnownFact[];
  readonly runs: readonly BoardRun[];
  readonly agents: readonly BoardAgent[];
  /** Names all of the above: two boards of one digest are the same. */
  readonly digest: string;
  /** What a plan was made from, and whether that still holds; null where no plan said. */
  readonly lock: {
    readonly id: string;
    readonly by: string;
    readonly at: string;
    readonly digest: string;
    readonly holds: boolean;
  } | null;
  /** What the gate wrote about the task's plan; null where no plan was judged. */
  readonly handover: (Handover & { readonly plan: string }) | null;
  /** Whether whoever leads has to leave the content alone, as the hand-over record says. */
  readonly content_locked: boolean;
}

interface BoardQuestion {
  readonly question_id: string;
  readonly by: string;
  readonly text: string;
  readonly default: string;
  readonly state: "open" | "answered";
  readonly answer?: string;
  readonly blocks?: string;
  readonly tier?: number;
  readonly deadline?: string;
}

interface BoardRun {
  readonly run_id: string;
  readonly agent: string;
  readonly depth: number;
  readonly parent_run_id?: string;
  readonly status: string;
}

interface BoardAgent {
  readonly agent: string;
  readonly id: string;
  readonly kind: string;
  readonly text: string;
}

/** The board of a task, with the lock that its plan was made under. */
export function boardOf(talk: Talk): Board {
  const content = {
    task: talk.task ?? null,
    questions: [...talk.questions.values()].map(toQuestion),
    facts: [...talk.facts.values()],
    runs: [...talk.runs.values()].map(toRun),
    agents: [...talk.lastWords].map(([agent, { id, kind, text }]) => ({ agent, id, kind, text })),
  };
  const digest = sha256Hex(canonicalize(content));
  const { lock, plan } = talk;
  const handover = plan?.handover;
  return {
    ...content,
    digest,
    lock: lock === undefined ? null : { ...lock, holds: lock.digest === digest },
    handover: plan && handover ? { ...handover, plan: plan.digest } : null,
    content_locked: handover?.content_locked ?? false,
  };
}

function toQuestion(asked: AskedQuestion): BoardQuestion {
  const { question_id, by, text, default: assumed, blocks, tier, deadline, answer } = asked;
  return {
    ...{ question_id, by, text, default: assumed },
    state: answer === undefined ? "open" : "answered",
    ...(answer === undefined ? {} : { answer: answer.text }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(tier === undefined ? {} : { tier }),
    ...(deadline === undefined ? {} : { deadline }),
  };
}

function toRun({ run_id, agent, depth, parent_run_id, end }: KnownRun): BoardRun {
  const above = parent_run_id === undefined ? {} : { parent_run_id };
  return { run_id, agent, depth, ...above, status: end?.status ?? "running" };
}

import * as z from "zod";
import { assert } from "../../base/index.ts";
import { Profile } from "../../schema/index.ts";
import { Plan } from "../../schema/plan.ts";
import type { ReviewReport } from "../../schema/review.ts";
import type { SessionDelivery } from "../../schema/session-report.ts";
import { WorkReport } from "../../schema/work.ts";
import type { AgentRunner } from "../agent/agent-runner.ts";
import { builtInReport } from "../agent/built-in-report.ts";
import type { Place } from "../place.ts";
import { RUNTIME_AGENT } from "../record/complete.ts";
import { inRound, type Known } from "./next-step.ts";
import { Seats, votersOf } from "./seats.ts";
import type { SessionRecord } from "./session-record.ts";
import { SESSION_RULES, type SessionRules } from "./session-rules.ts";

/** What a session was begun with; written once, into its first entry. */
export const Begin = z.strictObject({
  request: z.string(),
  profile: Profile,
  /** The commit that work begins with. */
  start: z.string(),
  /** The task whose board planning speaks on. */
  task: z.string(),
  /** Whether the plan was there already. */
  is_planned: z.boolean(),
  to: z.string(),
  is_sent: z.boolean(),
  seats: Seats,
  /** How often another plan is asked for after the critic rejected one. */
  replans_max: z.int().min(0),
});
export type Begin = z.infer<typeof Begin>;

/** Which proposals stand for the subtasks of the plan that counts, and which plan that is. */
export const Proposed = z.strictObject({
  /** From 1; each time the critic rejects one, the next is another. */
  plan: z.int().min(1),
  /** The names of the proposals, by subtask. */
  names: z.record(z.string(), z.string()),
});
export type Proposed = z.infer<typeof Proposed>;

/** A plan that the critic rejected, with what it said against each part of it. */
export const RejectedPlan = z.strictObject({
  plan: z.int().min(1),
  parts: z.array(
    z.strictObject({
      ...{ subtask: z.string(), name: z.string(), instruction: z.string() },
      /** The critic's reason; null where it had nothing against this part. */
      rejected_because: z.string().nullable(),
    }),
  ),
});
export type RejectedPlan = z.infer<typeof RejectedPlan>;

/** What happens, for whoever watches. */
export interface SessionEvent {
  readonly about: string;
  readonly words: string;
}

/** What a session needs of the world. */
export interface SessionScene {
  /** Its agents can speak while they work. */
  readonly runner: AgentRunner;
  /** A runner whose agents cannot: for those who plan. */
  readonly openPlanner: () => Promise<AgentRunner>;
  readonly signal: AbortSignal;
  readonly onEvent: (event: SessionEvent) => void;
}

/** Which work was begun in a round: known before it begins, so that a crash loses none. */
export const WorkLink = z.strictObject({ work: z.string(), trace: z.string() });
export type WorkLink = z.infer<typeof WorkLink>;

/** What the auditor said in a round. */
export const AuditWord = z.strictObject({
  verdict: z.enum(["pass", "fail"]),
  by: z.string(),
  reasons: z.array(z.string()),
});
export type AuditWord = z.infer<typeof AuditWord>;

/** What a step comes to when it cannot go on by itself. */
export interface Waits {
  readonly waits: readonly string[];
}

/** A session that is under way: its record, and whatever follows from it. */
export class OpenSession {
  readonly id: string;
  readonly scene: SessionScene;
  readonly record: SessionRecord;
  readonly begin: Begin;
  /** What its delivery came to. */
  delivery: SessionDelivery | undefined;

  readonly #reviewed = new Map<string, Promise<ReviewReport>>();
  readonly #artifacts = new Map<string, unknown>();

  constructor(id: string, scene: SessionScene, record: SessionRecord) {
    this.id = id;
    this.scene = scene;
    this.record = record;
    this.begin = Begin.parse(record.json("begin"));
  }

  get place(): Place {
    return this.scene.runner.scene.place;
  }

  /** The folder whose `sworn.yaml` says who is who. */
  get root(): string {
    return this.scene.runner.scene.repository.root;
  }

  get rules(): SessionRules {
    return SESSION_RULES[this.begin.profile];
  }

  /** What the runs of those who review, audit and vote are filed under. */
  get task(): string {
    return `session-${this.id}`;
  }

  get round(): number {
    return this.record.session.reworkRounds;
  }

  /** The plan as the critic left it. */
  get plan(): Plan {
    const name = this.record.has("plan.agreed") ? "plan.agreed" : "plan";
    return this.#artifact(name, Plan);
  }

  /** The proposals of the plan that counts; undefined before there is one. */
  get proposed(): Proposed | undefined {
    return this.record.has("proposed") ? this.#artifact("proposed", Proposed) : undefined;
  }

  /** What a subtask of that plan is called as a proposal. */
  proposalOf(subtask: string): string {
    const name = this.proposed?.names[subtask];
    assert(name !== undefined, `${subtask} was proposed`);
    return name;
  }

  /** The plans that were rejected until now. */
  get rejections(): RejectedPlan[] {
    return this.record.has("rejections") ? this.#artifact("rejections", z.array(RejectedPlan)) : [];
  }

  get workLink(): WorkLink {
    return this.#artifact(inRound("work", this.round), WorkLink);
  }

  get workReport(): WorkReport | undefined {
    const name = inRound("work-report", this.round);
    return this.record.has(name) ? this.#artifact(name, WorkReport) : undefined;
  }

  get auditWord(): AuditWord | undefined {
    const name = inRound("audit", this.round);
    return this.record.has(name) ? this.#artifact(name, AuditWord) : undefined;
  }

  /** Why the last round was not accepted. */
  get feedback(): string[] {
    return this.record.has("feedback") ? this.#artifact("feedback", z.array(z.string())) : [];
  }

  /** The latest artifact of a name, in its shape. It is read once: another content has another hash. */
  #artifact<T>(name: string, shape: z.ZodType<T>): T {
    const key = `${name} ${this.record.session.artifactNames.get(name)}`;
    if (!this.#artifacts.has(key)) this.#artifacts.set(key, shape.parse(this.record.json(name)));
    // What stands under this name always has this shape.
    return this.#artifacts.get(key) as T;
  }

  get known(): Known {
    const voters = votersOf(this.begin.seats).map(({ agent }) => agent);
    return {
      rules: this.rules,
      subtasks: this.record.has("plan") ? this.plan.subtasks.map(({ id }) => id.toLowerCase()) : [],
      proposals: Object.values(this.proposed?.names ?? {}),
      mayReplan:
        this.begin.seats.planner !== null && (this.proposed?.plan ?? 1) <= this.begin.replans_max,
      workStatus: this.workReport?.status,
      auditVerdict: this.auditWord?.verdict,
      voters: [RUNTIME_AGENT, ...(this.rules.isVoted ? voters : [])],
      isDelivered: this.delivery !== undefined,
    };
  }

  /** All that the built-in reviewers find in the work of this round; they look once. */
  reviewed(): Promise<ReviewReport> {
    const { start: before = "", commit: after = "" } = this.workReport ?? {};
    const { repository } = this.scene.runner.scene;
    const known = this.#reviewed.get(after);
    if (known !== undefined) return known;
    const change = { repository, before, after, signal: this.scene.signal };
    const report = builtInReport(change);
    this.#reviewed.set(after, report);
    return report;
  }

  say(about: string, words: string): void {
    this.scene.onEvent({ about, words });
  }
}

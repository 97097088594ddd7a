import type * as z from "zod";
import { SwornError } from "../base/index.ts";
import { CustomWorkflow, TeamAgent } from "../schema/config.ts";
import type { Assignee } from "./assign-files.ts";
import { toWorkflow, WORKFLOWS, type Workflow } from "./workflow.ts";

/** Most agents of one team. */
const AGENTS_MAX = 100;
/** The most files an agent reads, by field. */
const CONTEXT_BUDGET = { backend: 30, security: 20, frontend: 25, docs: 25 };
/** For an agent in no known field that brings no number of its own. */
const FILES_PER_AGENT = 25;

type Agent = z.infer<typeof TeamAgent>;

/** A workflow with the agents that take part, each with its field and its number of files settled. */
export interface Team {
  readonly workflow: Workflow;
  readonly agents: readonly (Agent & Assignee)[];
  /** Field to number of files, as the contract says it. */
  readonly budgets: Readonly<Record<string, number>>;
}

/**
 * Settles who takes part.
 *
 * @throws SwornError `INPUT_INVALID` when an agent or the workflow cannot be as declared.
 */
export function formTeam(
  workflow: keyof typeof WORKFLOWS | CustomWorkflow,
  asked: readonly TeamAgent[] | undefined,
): Team {
  const base =
    typeof workflow === "string"
      ? { shape: WORKFLOWS[workflow], agents: [] }
      : parseWorkflow(workflow);
  const agents = asked === undefined ? base.agents : asked.map(parseAgent);
  if (agents.length === 0 || agents.length > AGENTS_MAX) {
    throw new SwornError(
      "INPUT_INVALID",
      `the team has ${agents.length} agents, expected 1 to ${AGENTS_MAX}; name them in "agents"`,
    );
  }
  assertApart(agents);
  const budgets = budgetsOf(agents);
  return {
    workflow: base.shape,
    agents: agents.map((agent) => ({
      ...agent,
      budget: budgets[fieldOf(agent)] ?? FILES_PER_AGENT,
    })),
    budgets,
  };
}

function parseWorkflow(workflow: CustomWorkflow): { shape: Workflow; agents: Agent[] } {
  const parsed = CustomWorkflow.safeParse(workflow);
  if (!parsed.success) throw invalid("the workflow", parsed.error);
  if (Object.hasOwn(WORKFLOWS, parsed.data.name)) {
    const message = `the workflow "${parsed.data.name}" is built in; give the declared one another name`;
    throw new SwornError("INPUT_INVALID", message);
  }
  return { shape: toWorkflow(parsed.data), agents: parsed.data.agents };
}

function parseAgent(agent: TeamAgent): Agent {
  const parsed = TeamAgent.safeParse(agent);
  if (!parsed.success) throw invalid("an agent", parsed.error);
  return parsed.data;
}

/** The first thing that is wrong, with its place, as an operating error. */
export function invalid(what: string, error: z.ZodError): SwornError {
  const issue = error.issues[0];
  const place = issue?.path.join(".") ?? "";
  return new SwornError(
    "INPUT_INVALID",
    `${what} cannot be used: ${place === "" ? "" : `${place}: `}${issue?.message ?? "unknown"}`,
  );
}

/** Two agents that write one file would each deliver the other's work; some disks ignore case. */
function assertApart(agents: readonly Agent[]): void {
  const seen = new Set(["tome", "runebinder"]);
  for (const { name } of agents) {
    const folded = name.toLowerCase();
    if (seen.has(folded)) {
      throw new SwornError(
        "INPUT_INVALID",
        `two of the team would write ${folded}.md; give the agent "${name}" a name of its own`,
      );
    }
    seen.add(folded);
  }
}

const fieldOf = (agent: Agent): string => agent.area ?? agent.name;

function budgetsOf(agents: readonly Agent[]): Record<string, number> {
  const budgets = new Map<string, number>(Object.entries(CONTEXT_BUDGET));
  const asked = new Map<string, number>();
  for (const agent of agents) {
    const field = fieldOf(agent);
    const before = asked.get(field);
    const files = agent.budget ?? before ?? budgets.get(field) ?? FILES_PER_AGENT;
    if (before !== undefined && before !== files) {
      const message = `the field "${field}" has budgets of ${before} and ${files} files; give it one`;
      throw new SwornError("INPUT_INVALID", message);
    }
    asked.set(field, files);
    budgets.set(field, files);
  }
  return Object.fromEntries(budgets);
}

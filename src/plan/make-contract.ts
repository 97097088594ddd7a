import { SwornError } from "../base/index.ts";
import type { CustomWorkflow, TeamAgent } from "../schema/config.ts";
import { Contract } from "../schema/contract.ts";
import { type Assignment, assignFiles } from "./assign-files.ts";
import { longestMessage } from "./message-form.ts";
import { formTeam, invalid, type Team } from "./team.ts";
import { contractDuty, type Level, levelFor, type WorkflowName } from "./workflow.ts";

const AGGREGATOR = { name: "runebinder", output_file: "TOME.md" };
const LAYER_0_CIRCUIT = { failure_threshold: 3, recovery_seconds: 60 };
const LAYER_2_CIRCUIT = { failure_threshold: 2, recovery_seconds: 120 };
const REVERIFY_AGENTS_MAX = 2;

/** What a contract is made from; time and nonce come from the caller, so the same gives the same. */
export interface ContractRequest {
  readonly workflow: WorkflowName | CustomWorkflow;
  /** Inside the project, with forward slashes. */
  readonly outputDir: string;
  /** Who takes part; without it, those that a declared workflow names. */
  readonly agents?: readonly TeamAgent[];
  readonly timestamp: string;
  /** Fresh for each run, 32 hex digits: whatever does not carry it was not made in this run. */
  readonly nonce: string;
  readonly prNumber?: number;
  readonly branch?: string;
  /** The files to deal out; without them nothing is dealt. */
  readonly files?: readonly string[];
  /** Lets several agents have the same file; otherwise each file has one reader. */
  readonly overlap?: boolean;
}

/** A contract with what follows from it, or the reason why there is none. */
export type MadeContract =
  | {
      readonly kind: "contract";
      readonly contract: Contract;
      readonly level: Level;
      /** What a person should know about the team. */
      readonly notes: readonly string[];
      /** Absent where no files were given. */
      readonly assignment?: Assignment;
    }
  | { readonly kind: "no-contract"; readonly reason: string };

/**
 * What a team will owe, made before any of it starts.
 *
 * @throws SwornError `INPUT_INVALID` when the team or the workflow cannot be as declared.
 */
export function makeContract(request: ContractRequest): MadeContract {
  const team = formTeam(request.workflow, request.agents);
  if (contractDuty(team.agents.length) === "none") {
    const reason = "one agent alone needs no contract; only its completion message is checked";
    return { kind: "no-contract", reason };
  }
  const level = levelFor(team.workflow, team.agents.length);
  const { files, overlap = false } = request;
  const assignment = files && assignFiles(files, team.agents, { overlap });
  const parsed = Contract.safeParse(contractOf(withScopes(team, assignment), level, request));
  if (!parsed.success) throw invalid("the contract", parsed.error);
  for (const teammate of parsed.data.teammates) longestMessage(teammate);
  const made = { kind: "contract", contract: parsed.data, level, notes: sizeNotes(team) } as const;
  return assignment === undefined ? made : { ...made, assignment };
}

/** Files that were dealt out are the scope: whoever reads the contract sees who had which. */
function withScopes(team: Team, assignment: Assignment | undefined): Team {
  if (assignment === undefined) return team;
  const given = new Map(assignment.given.map(({ name, files }) => [name, files]));
  const agents = team.agents.map((agent) => ({
    ...agent,
    scope: (given.get(agent.name) ?? []).map(asGlob),
  }));
  return { ...team, agents };
}

/** A file's name as a glob that means this file and no other. */
const asGlob = (file: string): string => file.replaceAll(/[\\*?[\]{}()!+@|]/g, "\\$&");

function sizeNotes({ workflow, agents }: Team): string[] {
  const { least, most } = workflow.agents;
  if (agents.length >= least && agents.length <= most) return [];
  return [
    `${workflow.name} is made for ${least} to ${most} agents, this team has ${agents.length}`,
  ];
}

function contractOf({ workflow, agents, budgets }: Team, level: Level, request: ContractRequest) {
  return present({
    workflow: `rune-${workflow.name}`,
    timestamp: request.timestamp,
    output_dir: insideProject(request.outputDir),
    pr_number: request.prNumber,
    branch: request.branch,
    nonce: request.nonce,
    teammates: agents.map(({ name, role, scope, perspectives }) =>
      present({
        name,
        output_file: `${name}.md`,
        required_sections: [...workflow.sections],
        role,
        perspectives,
        file_scope: scope,
      }),
    ),
    aggregator: workflow.aggregated ? AGGREGATOR : undefined,
    verification: verificationFor(level),
    context_engineering: {
      read_ordering: "source_first",
      instruction_anchoring: true,
      reanchor_interval: 5,
      context_budget: budgets,
    },
  });
}

/** A field that is not there is left out: the contract is hashed and compared as it is written. */
function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The contract shows its level: a layer that is to run has a circuit, one that is not has none. */
function verificationFor(level: Level) {
  if (level === "none") return { enabled: false };
  if (level === "layer-0") return { enabled: true, layer_0_circuit: LAYER_0_CIRCUIT };
  return {
    enabled: true,
    layer_0_circuit: LAYER_0_CIRCUIT,
    layer_2_circuit: LAYER_2_CIRCUIT,
    max_reverify_agents: REVERIFY_AGENTS_MAX,
  };
}

/** Where agents write is inside the project, whoever asks. */
function insideProject(path: string): string {
  const parts = path.split("/");
  if (
    path.startsWith("/") ||
    path.includes("\\") ||
    parts.includes("..") ||
    /^[a-z]:/i.test(path)
  ) {
    const message = `the output folder is ${JSON.stringify(path)}, expected a path inside the project, with forward slashes`;
    throw new SwornError("PATH_ESCAPES", message);
  }
  return path.endsWith("/") ? path : `${path}/`;
}

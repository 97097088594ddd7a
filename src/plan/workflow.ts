import type * as z from "zod";
import { SwornError } from "../base/index.ts";
import { type CustomWorkflow, LEVELS } from "../schema/config.ts";

/** How much of a team's output is looked at again. */
export type Level = (typeof LEVELS)[number];

/** The headings each kind of output must have. */
export const SECTIONS = {
  report: ["P1 (Critical)", "P2 (High)", "P3 (Medium)", "Self-Review Log", "Summary"],
  research: ["Key Findings", "Recommendations", "Summary"],
  status: ["Status", "Files Changed", "Tests"],
} as const;

/** A workflow as data: everything about it but who takes part. */
export interface Workflow {
  readonly name: string;
  readonly format: keyof typeof SECTIONS;
  readonly sections: readonly string[];
  /** The level it asks for itself; undefined leaves it to the number of agents. */
  readonly level: Level | undefined;
  /** Where its agents write; `{id}` is a pull request's number or another name of the run. */
  readonly outputDir: string;
  /** How many agents it is made for; other numbers work and are remarked on. */
  readonly agents: { readonly least: number; readonly most: number };
  /** Whether somebody binds the parts into one document; else the lead reads them directly. */
  readonly aggregated: boolean;
}

/** The workflows that need no declaration. */
export const WORKFLOWS = {
  review: builtIn("review", "report", "layer-2", "reviews/{id}"),
  audit: builtIn("audit", "report", "validator", "audit/{id}"),
  plan: builtIn("plan", "research", "layer-0", "research"),
  work: { ...builtIn("work", "status", "none", "work"), agents: { least: 2, most: 100 } },
} as const satisfies Record<string, Workflow>;
export type WorkflowName = keyof typeof WORKFLOWS;

function builtIn(name: string, format: Workflow["format"], level: Level, folder: string): Workflow {
  return {
    name,
    format,
    sections: SECTIONS[format],
    level,
    outputDir: `tmp/${folder}/`,
    agents: { least: 3, most: 5 },
    aggregated: format === "report",
  };
}

/** A declared workflow in the form of the built-in ones. */
export function toWorkflow(custom: z.infer<typeof CustomWorkflow>): Workflow {
  return {
    name: custom.name,
    format: custom.format,
    sections: custom.sections ?? SECTIONS[custom.format],
    level: custom.verification,
    outputDir: `tmp/${custom.name}/{id}/`,
    agents: { least: 2, most: 100 },
    aggregated: custom.format === "report",
  };
}

/**
 * Where a run of a workflow writes by default.
 *
 * @throws SwornError `PATH_ESCAPES` for an id that is more than a name.
 */
export function outputDirFor({ outputDir }: Workflow, id: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
    const message = `the run is named ${JSON.stringify(id.slice(0, 100))}, expected letters, digits, dash or underscore`;
    throw new SwornError("PATH_ESCAPES", message);
  }
  return outputDir.replace("{id}", id);
}

/**
 * The level for a team of this size. The workflow decides it and the number of agents only raises
 * it. Two things stay unverified whatever the size: status reports, which hold no findings, and a
 * declared workflow that says `none`.
 */
export function levelFor(workflow: Workflow, agents: number): Level {
  if (workflow.format === "status" || workflow.level === "none") return "none";
  const bySize: Level = agents >= 5 ? "layer-2" : agents >= 3 ? "layer-0" : "none";
  const own = workflow.level ?? "none";
  return LEVELS.indexOf(own) > LEVELS.indexOf(bySize) ? own : bySize;
}

/** Whether a team of this size must, may or cannot have a contract. One agent alone has none. */
export function contractDuty(agents: number): "required" | "optional" | "none" {
  if (agents >= 3) return "required";
  return agents === 2 ? "optional" : "none";
}

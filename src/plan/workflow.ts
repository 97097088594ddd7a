import * as z from "zod";
import { SwornError } from "../base/index.ts";

/** How much of a team's output is looked at again, from nothing to a validator over everything. */
export const LEVELS = ["none", "layer-0", "layer-2", "validator"] as const;
export type Level = (typeof LEVELS)[number];

/** The headings each kind of output must have. */
export const SECTIONS = {
  report: ["P1 (Critical)", "P2 (High)", "P3 (Medium)", "Self-Review Log", "Summary"],
  research: ["Key Findings", "Recommendations", "Summary"],
  status: ["Status", "Files Changed", "Tests"],
} as const;

// A single word first, so that no name is a key with a meaning of its own, such as __proto__.
const Name = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, "expected a letter, then letters, digits, dash or underscore");
const Line = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}\p{DI}`]+$/u, "expected one line of plain text without backticks");
const Glob = z.string().min(1).max(1_000);

/** One agent of a team, as whoever starts the team declares it. */
export const TeamAgent = z.strictObject({
  name: Name,
  /** What it is to do, in a few words: `Security review`. */
  role: Line,
  /** The field whose budget it draws from: `backend`; by default a budget of its own. */
  area: Name.optional(),
  /** The most files it may be given; by default its area's. */
  budget: z.int().min(1).max(100_000).optional(),
  /** Globs of the files it can look at. */
  scope: z.array(Glob).max(10_000).default(["**"]),
  perspectives: z.array(Line).max(50).optional(),
});
export type TeamAgent = z.input<typeof TeamAgent>;

/** A workflow that is not built in, in the six answers that make one. */
export const CustomWorkflow = z.strictObject({
  name: z
    .string()
    .max(90)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "expected lower-case letters and digits, joined by dashes"),
  format: z.enum(["report", "research", "status"]),
  sections: z.array(Line).min(1).max(50).optional(),
  agents: z.array(TeamAgent).min(1).max(100),
  /** `none` turns verification off; any other level is the least, and more agents raise it. */
  verification: z.enum(LEVELS).optional(),
});
export type CustomWorkflow = z.input<typeof CustomWorkflow>;

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

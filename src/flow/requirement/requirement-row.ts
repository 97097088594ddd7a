/** A line of a file. */
export interface CitedLine {
  readonly path: string;
  readonly line: number;
}

/** What is known of one requirement id. */
export interface RequirementRow {
  readonly id: string;
  /** The fixed addresses of the spec and the decisions that it goes back to. */
  readonly links: readonly string[];
  readonly defined: readonly CitedLine[];
  readonly cited: readonly CitedLine[];
  readonly commits: readonly string[];
  /** Subtasks of the plan, or the plan as a whole. */
  readonly plan: readonly string[];
  /** The decisions that name it, by their addresses. */
  readonly decisions: readonly string[];
  readonly tests: readonly CitedLine[];
  /** What is wrong or not there, in words. */
  readonly missing: readonly string[];
}

/** What is found of one id while everything is looked through. */
export class RequirementTrail {
  readonly id: string;
  readonly links: string[] = [];
  readonly defined: CitedLine[] = [];
  readonly cited: CitedLine[] = [];
  readonly commits: string[] = [];
  readonly plan: string[] = [];
  readonly decisions: string[] = [];
  readonly tests: CitedLine[] = [];
  readonly problems: string[] = [];

  constructor(id: string) {
    this.id = id;
  }

  /** All of it, with what is missing. */
  row(): RequirementRow {
    const { id, links, defined, cited, commits, plan, decisions, tests } = this;
    const isDefined = defined.length > 0 || decisions.length > 0;
    const isUsed = cited.length + commits.length + plan.length + tests.length > 0;
    const missing = [
      ...(isDefined
        ? []
        : [`nothing defines it${tests.length > 0 ? ", and a test cites it" : ""}`]),
      ...(tests.length > 0 ? [] : ["no test cites it"]),
      ...(isUsed ? [] : ["nothing but its definition names it"]),
      ...new Set(this.problems),
    ];
    return { id, links, defined, cited, commits, plan, decisions, tests, missing };
  }
}

import type * as z from "zod";
import { Plan, PlanSubtask, Verimap, VerimapSubtask } from "../../schema/plan.ts";
import type { Violation } from "./gate-report.ts";

/** More than this many are counted and not listed: whoever wrote the file sees the pattern by then. */
const SHAPE_VIOLATIONS_MAX = 200;
const SHOWN_CHARS = 60;

/** A subtask whose own shape is right, and its place in the file. */
export interface PlacedSubtask {
  readonly at: number;
  readonly subtask: PlanSubtask | VerimapSubtask;
}

/** What could be read of a file. */
export type Shape = { readonly violations: readonly Violation[] } & (
  | { readonly form: "verimap"; readonly plan?: Verimap; readonly sound: readonly PlacedSubtask[] }
  | { readonly form: "plan"; readonly plan?: Plan; readonly sound: readonly PlacedSubtask[] }
);

/**
 * Tells which form a file has, and reads it. Where the shape is broken somewhere, the subtasks that
 * are whole still come back, so that their faults are reported in the same go.
 */
export function readShape(value: unknown): Shape {
  if (formOf(value) === "plan") {
    const read = Plan.safeParse(value);
    if (read.success)
      return { form: "plan", plan: read.data, sound: placed(read.data), violations: [] };
    const violations = toViolations(read.error.issues, value);
    return { form: "plan", sound: soundOf(value, PlanSubtask), violations };
  }
  const read = Verimap.safeParse(value);
  if (read.success) {
    return { form: "verimap", plan: read.data, sound: placed(read.data), violations: [] };
  }
  const violations = toViolations(read.error.issues, value);
  return { form: "verimap", sound: soundOf(value, VerimapSubtask), violations };
}

/** Our own form has proofs on some subtask; a planner's form has them nowhere. */
export function formOf(value: unknown): "plan" | "verimap" {
  return subtasksOf(value).some((one) => isObject(one) && Object.hasOwn(one, "proofs"))
    ? "plan"
    : "verimap";
}

/** A path as the report shows it: `subtasks[0].depends_on[1]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`,
    )
    .join("");
}

function placed(plan: Plan | Verimap): PlacedSubtask[] {
  return plan.subtasks.map((subtask, at) => ({ at, subtask }));
}

function soundOf(
  value: unknown,
  shape: typeof PlanSubtask | typeof VerimapSubtask,
): PlacedSubtask[] {
  return subtasksOf(value).flatMap((one, at) => {
    const read = shape.safeParse(one);
    return read.success ? [{ at, subtask: read.data }] : [];
  });
}

function subtasksOf(value: unknown): readonly unknown[] {
  const subtasks = isObject(value) ? value["subtasks"] : undefined;
  return Array.isArray(subtasks) ? subtasks : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every fault of a shape in words: what was expected at its place, and what was found there. */
export function toViolations(issues: readonly z.core.$ZodIssue[], value: unknown): Violation[] {
  const all = issues.flatMap((issue) => toViolation(issue, value));
  const more = all.length - SHAPE_VIOLATIONS_MAX;
  if (more <= 0) return all;
  const rest = { rule: "shape", path: "", message: `and ${more} more of this kind` } as const;
  return [...all.slice(0, SHAPE_VIOLATIONS_MAX), rest];
}

function toViolation(issue: z.core.$ZodIssue, value: unknown): Violation[] {
  const { code, path } = issue;
  const shape = (at: readonly PropertyKey[], message: string): Violation => ({
    rule: "shape",
    path: pathText(at),
    message,
  });
  if (code === "unrecognized_keys") {
    return issue.keys.map((key) =>
      shape([...path, key], "the schema has no such field: take it out, or correct its name"),
    );
  }
  if (code === "invalid_key") {
    const [why] = issue.issues;
    const name = why === undefined ? "another name" : expectedBy(why);
    return [shape(path, `expected ${name} as the name here, found ${shown(path.at(-1))}`)];
  }
  const found = valueAt(value, path);
  const expected = expectedBy(issue);
  if (found === undefined) return [shape(path, `it is missing: write ${expected}`)];
  return [shape(path, `expected ${expected}, found ${shown(found)}`)];
}

function expectedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_type") return withArticle(issue.expected);
  // The kinds of a union that tells them apart by one member.
  const { options } = issue as { options?: unknown };
  if (Array.isArray(options)) return `one of ${options.map(String).join(", ")}`;
  const own = /expected (?<what>.+)$/s.exec(issue.message)?.groups?.["what"];
  return own ?? issue.message;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function shown(found: unknown): string {
  if (Array.isArray(found)) return `a list of ${found.length}`;
  if (isObject(found)) return "an object";
  return (JSON.stringify(found) ?? "nothing").slice(0, SHOWN_CHARS);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at;
}

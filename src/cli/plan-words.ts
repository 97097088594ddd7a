import { counted } from "../base/index.ts";
import {
  type GateProfile,
  type GateReport,
  mayStart,
  READY_POINTS_MIN,
  RULES,
  someNames,
} from "../plan/index.ts";
import type { Answer } from "./io.ts";

const SHAPE_FIRST =
  "The other rules are looked at once the shape is right. To begin with one: sworn plan --from -";

/**
 * What the gate found, as an answer.
 *
 * @param lacks what it lacks here to be done, which changes no verdict
 */
export function planAnswer(report: GateReport, profile: GateProfile, lacks?: string): Answer {
  return {
    exit: planExit(report),
    json: planDocument(report),
    words: planWords(report, profile, lacks),
    isAnswered: true,
  };
}

/** The same as the one document that programs read. */
export function planDocument({ ready, points, deductions, violations, questions }: GateReport) {
  return { ready, points, deductions, violations, questions };
}

/** What is said of it that changes no verdict. */
export function notesOf({ notes }: GateReport, lacks: string | undefined): string[] {
  return lacks === undefined ? [...notes] : [...notes, lacks];
}

/** Ready, waiting, or wrong. */
export function planExit({ ready, violations }: GateReport): Answer["exit"] {
  if (violations.length > 0) return 2;
  return ready ? 0 : 3;
}

/** The same for a person: the arithmetic, everything that is wrong, what is asked, what may begin. */
export function planWords(report: GateReport, profile: GateProfile, lacks?: string): string {
  return [
    ...headWords(report),
    ...scoreWords(report),
    ...violationWords(report),
    ...questionWords(report),
    ...notesOf(report, lacks).map((note) => `Note: ${note}`),
    ...startWords(report, profile),
    outcomeWords(report, lacks !== undefined),
  ]
    .map(unbroken)
    .join("\n");
}

/** A text of somebody else's plan must not begin a line, where it would pass for one of ours. */
export function unbroken(words: string): string {
  return words.replaceAll(/[\n\r\v\f\u0085\u2028\u2029]+/g, " ");
}

function headWords({ plan, form }: GateReport): string[] {
  if (plan === undefined) return [];
  const name = form === "verimap" ? "a plan in the planners' form" : "a plan with proofs";
  const proofs = plan.subtasks.reduce((sum, { proofs: all }) => sum + all.length, 0);
  const what = `${counted(plan.subtasks.length, "subtask")}, ${counted(proofs, "proof")}`;
  return [`${plan.verimapped_task.split("\n")[0]} (${name}, ${what})`];
}

function scoreWords({ plan, points, deductions }: GateReport): string[] {
  if (plan === undefined) return [];
  const sum = ["100", ...deductions.map(({ points: lost }) => String(lost))].join(" - ");
  const raw = 100 - deductions.reduce((all, { points: lost }) => all + lost, 0);
  const floor = raw < 0 ? `, and never below 0` : "";
  return [
    `Score: ${sum} = ${raw}${floor} (${READY_POINTS_MIN} are needed${points < READY_POINTS_MIN ? "" : ", and there"})`,
    ...deductions.map(({ reason, points: lost }) => `  -${lost}  ${reason}`),
  ];
}

/** By rule, each named once: what is wrong in many places is wrong in one way. */
function violationWords({ violations }: GateReport): string[] {
  if (violations.length === 0) return [];
  const rules = [...new Set(violations.map(({ rule }) => rule))];
  return [
    `${counted(violations.length, "violation")}:`,
    ...rules.flatMap((rule) => [
      `  ${rule}: ${RULES[rule]}`,
      ...violations
        .filter((one) => one.rule === rule)
        .map(({ path, message }) => `    ${path === "" ? "the plan" : path}: ${message}`),
    ]),
    ...(rules.includes("shape") ? [SHAPE_FIRST] : []),
  ];
}

function questionWords({ questions }: GateReport): string[] {
  if (questions.length === 0) return [];
  return [
    `${counted(questions.length, "open question")}:`,
    ...questions.flatMap(({ id, question, context, default: assumed, blocks }) => [
      `  ${id} (${blocks === null ? "the whole plan" : blocks} waits): ${question}`,
      `    why: ${context}`,
      `    without an answer: ${assumed}`,
    ]),
  ];
}

function startWords(report: GateReport, profile: GateProfile): string[] {
  const { plan, points, violations, questions } = report;
  if (plan === undefined || violations.length > 0 || points < READY_POINTS_MIN) return [];
  const now = mayStart(plan, questions, profile);
  return [`May start now (${profile}): ${now.length === 0 ? "nothing" : someNames(now)}`];
}

function outcomeWords(
  { ready, violations, questions, points }: GateReport,
  isLacking: boolean,
): string {
  if (ready) return isLacking ? "Ready, but for a judge: see the last note." : "Ready.";
  if (violations.length > 0) return "Refused: put these right and check it again.";
  if (points < READY_POINTS_MIN) {
    return `Blocked: ${points} points are too few; nothing is rounded, and nothing starts.`;
  }
  return `Blocked: ${counted(questions.length, "question")} to answer first.`;
}

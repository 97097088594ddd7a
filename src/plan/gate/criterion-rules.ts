import { readAssertion } from "./assertion.ts";
import type { Violation } from "./gate-report.ts";
import { CRITERION_CHARS_MAX } from "./lower.ts";
import type { Criterion, ReadCheck, ReadSubtask } from "./read-subtask.ts";
import { vagueOutcome } from "./vague-outcome.ts";

/** LAW 03, TOOL 04 and TOOL 05: what each single criterion of a subtask may say. */
export function checkCriteria(read: ReadSubtask): Violation[] {
  return [
    ...[...read.worded, ...read.judged].flatMap((one) => [
      ...checkHedges(one),
      ...checkBehaviour(one),
    ]),
    ...read.assertions.flatMap((one) => checkAssertion(one, read)),
  ];
}

function checkHedges({ hedges, path }: ReadCheck): Violation[] {
  return hedges.map((phrase) => ({
    rule: "law-03",
    path,
    message: `it hedges ("${phrase}"): say what is seen, in words that are either true or false`,
  }));
}

function checkBehaviour({ text, path, fixed, behaviour }: ReadCheck): Violation[] {
  if (typeof behaviour === "string") {
    const message = `${behaviour}: write GIVEN <state> WHEN <action> THEN <what is seen>`;
    return [{ rule: "tool-04", path, message }];
  }
  const problem = fixed === undefined ? vagueOutcome(behaviour?.outcome ?? text) : undefined;
  if (problem === undefined) return [];
  return [{ rule: "tool-04-then", path, message: `${problem}: name the value, text or figure` }];
}

function checkAssertion({ text, path }: Criterion, { subtask }: ReadSubtask): Violation[] {
  const tool05 = (message: string): Violation => ({ rule: "tool-05", path, message });
  if (text.length > CRITERION_CHARS_MAX) {
    const most = `expected at most ${CRITERION_CHARS_MAX}`;
    return [
      tool05(`it has ${text.length} characters, ${most}: write one for each thing it checks`),
    ];
  }
  const { problems, keys } = readAssertion(text);
  // A probe fills the result of CONFIG and INFRA with what it saw, whatever the worker hands in.
  const isOwnOutput = subtask.type === "CODE" || subtask.type === "DOCS";
  const unknown = isOwnOutput
    ? keys.filter((key) => !Object.hasOwn(subtask.output_schema, key))
    : [];
  return [
    ...problems.map(tool05),
    ...unknown.map((key) =>
      tool05(`it reads ${JSON.stringify(key)}, which is not in the output_schema of ${subtask.id}`),
    ),
  ];
}

/** Hours that LAW 04 gives a subtask. */
const HOURS_MAX = 2;
const EFFORT =
  /\b(?:takes?|needs?|estimated?(?: at)?|effort(?: of)?:?|budget(?: of)?:?)\s(?:about |around |up to |roughly )?(?<count>\d{1,4}(?:\.\d)?)\s?(?<unit>h|hours?|days?|weeks?)\b/iu;
const HOURS: Readonly<Record<string, number>> = { h: 1, d: 8, w: 40 };

/** LAW 04: a subtask is for one worker and one session. */
export function checkEffort({ subtask, path }: ReadSubtask): Violation[] {
  const { id, instruction } = subtask;
  // A duration is rare, and looking for its unit alone is cheap.
  const said = /\d ?[hdw]/i.test(instruction) ? EFFORT.exec(instruction)?.groups : undefined;
  const hours = Number(said?.["count"]) * (HOURS[said?.["unit"]?.[0]?.toLowerCase() ?? ""] ?? 0);
  if (!(hours > HOURS_MAX)) return [];
  const message = `${id} is said to take ${said?.["count"]} ${said?.["unit"]}: split it into subtasks of under ${HOURS_MAX} hours`;
  return [{ rule: "law-04", path: `${path}.instruction`, message }];
}

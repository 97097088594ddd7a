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
  const isEcho =
    behaviour !== undefined && [behaviour.state, behaviour.action].includes(behaviour.outcome);
  const problem = isEcho
    ? "its THEN says what its GIVEN or WHEN says"
    : fixed === undefined
      ? vagueOutcome(behaviour?.outcome ?? text)
      : undefined;
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
  const { problems, keys, isWhole } = readAssertion(text);
  // A probe fills the result of CONFIG and INFRA with what it saw, whatever the worker hands in.
  const isOwnOutput = subtask.type === "CODE" || subtask.type === "DOCS";
  const unknown = isOwnOutput
    ? keys.filter((key) => !Object.hasOwn(subtask.output_schema, key))
    : [];
  return [
    ...problems.map(tool05),
    ...(isOwnOutput && isWhole && problems.length === 0
      ? [
          tool05(
            `it looks at no field of result, which always is an object: compare one of ${Object.keys(subtask.output_schema).slice(0, 5).join(", ")}`,
          ),
        ]
      : []),
    ...unknown.map((key) =>
      tool05(`it reads ${JSON.stringify(key)}, which is not in the output_schema of ${subtask.id}`),
    ),
  ];
}

/** Hours that LAW 04 gives a subtask. */
const HOURS_MAX = 2;
const COUNTS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const EFFORT = new RegExp(
  `\\b(?:takes?|needs?|estimated?(?: at)?|effort(?: of)?:?|budget(?: of)?:?)\\s(?:about |around |up to |roughly )?(?<count>\\d{1,4}(?:\\.\\d)?|${COUNTS.join("|")})[\\s-]?(?<unit>h|hrs?|hours?|days?|weeks?|months?|min(?:ute)?s?)\\b`,
  "iu",
);
const HOURS: readonly (readonly [RegExp, number])[] = [
  [/^h/i, 1],
  [/^d/i, 8],
  [/^w/i, 40],
  [/^mo/i, 160],
  [/^mi/i, 1 / 60],
];

/** LAW 04: a subtask is for one worker and one session. */
export function checkEffort({ subtask, path }: ReadSubtask): Violation[] {
  const { id, instruction } = subtask;
  // A duration is rare, and looking for its unit alone is cheap.
  const isSaid = /(?:\d|one|two|three|four|five|six|seven|eight|nine|ten)[ -]?[hdwm]/i;
  const said = isSaid.test(instruction) ? EFFORT.exec(instruction)?.groups : undefined;
  const hours = hoursOf(said?.["count"] ?? "", said?.["unit"] ?? "");
  if (!(hours > HOURS_MAX)) return [];
  const message = `${id} is said to take ${said?.["count"]} ${said?.["unit"]}: split it into subtasks of under ${HOURS_MAX} hours`;
  return [{ rule: "law-04", path: `${path}.instruction`, message }];
}

function hoursOf(count: string, unit: string): number {
  const word = COUNTS.indexOf(count.toLowerCase());
  const [, hours = 0] = HOURS.find(([name]) => name.test(unit)) ?? [];
  return (word >= 0 ? word + 1 : Number(count)) * hours;
}

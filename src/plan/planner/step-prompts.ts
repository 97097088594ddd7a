import { dataBlock } from "../data-block.ts";
import {
  AREAS,
  type Draft,
  type DraftSubtask,
  type EngineerAnswer,
  type FactsAnswer,
  type QuestionsAnswer,
  type SweepAnswer,
} from "./answer-shapes.ts";
import { COMMON_HEADER } from "./common-header.ts";
import { PLANNER_PART } from "./planner-part.ts";
import {
  CRITIQUE_KINDS,
  CRITIQUE_QUESTIONS_MIN,
  FACT_FILES,
  STEPS,
  type StepName,
} from "./step.ts";

/** What is known before the first question; all of it is outside text. */
export interface KnownTask {
  readonly request: string;
  /** What the design left on the board. */
  readonly brief: string | undefined;
  /** What people answered to earlier questions about this task. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  /** The commit whose files are looked at: what was found in one may not hold in another. */
  readonly commit: string;
  /** Earlier plans for it that a critic rejected, and why. */
  readonly rejected?: readonly unknown[];
}

/** A system that exists already, as the project's facts have it. */
export interface ExistingSystem {
  readonly name: string;
  readonly does: string;
}

/** A question that is open while the graph is drawn. */
export interface OpenQuestion {
  readonly id: string;
  readonly question: string;
}

const STANCES = [
  "Take the request by its letters: what do its words ask for, and nothing beyond?",
  "Take the request by its purpose: what would whoever wrote it have to see to be content?",
  "Take the request as somebody who has seen such work fail: what is it that would really be built, and does it hold?",
] as const;

/** Phase 0: is the system what the request says? */
export function factsPrompt(known: KnownTask): string {
  return prompt(
    "facts",
    [
      "Confirm the premise of the request in the project's files: configuration, and two or three source files that matter.",
      `Read ${FACT_FILES.min} to ${FACT_FILES.max} files, fewer only where the project has fewer. Find out whether what the request describes exists in that`,
      "form, and whether something there does part of it already. Stop as soon as that is clear.",
      "premise: CONFIRMED, DIFFERS (it exists, in another form: say how), FALSE (it does not exist), or UNVERIFIED (you could",
      "not find out). files_read: the paths that you read, from the project's root. findings: what you saw, each with the path of",
      "the file that shows it.",
      ...answerForm({
        premise: "CONFIRMED",
        files_read: ["path"],
        findings: [{ statement: "…", evidence: "path" }],
      }),
    ],
    [...taskData(known), commitData(known.commit)],
  );
}

/** Phase 1: surface scan and classification. */
export function sweepPrompt(known: KnownTask, facts: FactsAnswer): string {
  return prompt(
    "sweep",
    [
      "Go through the nine places of the surface scan (T01), classify what is unclear (LAW 01, T02), and decide for each place:",
      '- "stated": it is settled. `quote` is copied letter by letter from the request, the brief, the answers or the findings; a',
      "  program looks for it there.",
      '- "not_applicable": it cannot arise here, and `why`.',
      '- "asked": answers would lead to different plans. One question, the reason, and what is assumed without an answer.',
      '- "assumed": they would not. What you assume, at MEDIUM or HIGH risk.',
      `Every one of ${AREAS.join(", ")} stands there at least once, SPECIFY before other types.`,
      ...answerForm({
        areas: [
          { area: "SCOPE", outcome: "stated", quote: "…" },
          { area: "TIMEOUT", outcome: "not_applicable", why: "…" },
          {
            ...{ area: "MAXIMUM", outcome: "asked", ambiguity: "…", ambiguity_type: "SPECIFY" },
            ...{ question: "…", context: "…", default_assumed: "…" },
          },
          {
            ...{ area: "EMPTY", outcome: "assumed", ambiguity: "…", ambiguity_type: "SPECIFY" },
            ...{ resolution: "…", assumption_risk: "MEDIUM" },
          },
        ],
      }),
    ],
    [...taskData(known), factData(facts)],
  );
}

/** Phase 2: one engineer, who hears neither of the others. */
export function engineerPrompt(known: KnownTask, facts: FactsAnswer, number: number): string {
  return prompt(
    "engineer",
    [
      `You are engineer ${number + 1} of ${STANCES.length} (LAW 05, T03). You do not know what the others say. ${STANCES[number % STANCES.length]}`,
      "interpretation: how you read it. done: what is true when it is done. concern: what worries you most. verdict: TRACTABLE,",
      "UNCERTAIN or IMPOSSIBLE. explanation: for IMPOSSIBLE why, otherwise empty. confidence: how sure you are of the reading,",
      "0 to 100. risk: of building it, LOW, MEDIUM or HIGH.",
      ...answerForm({
        ...{ interpretation: "…", done: "…", concern: "…", verdict: "TRACTABLE", explanation: "" },
        ...{ confidence: 80, risk: "LOW" },
      }),
    ],
    [...taskData(known), factData(facts)],
  );
}

/** Phase 3: the graph, from everything that is known by then. */
export function graphPrompt(
  known: KnownTask,
  found: {
    readonly facts: FactsAnswer;
    readonly sweep: SweepAnswer;
    readonly reading: EngineerAnswer;
    readonly open: readonly OpenQuestion[];
  },
): string {
  const { rejected = [] } = known;
  return prompt(
    "graph",
    [
      "Draw up the plan for the selected reading, in the format above: the fields that are yours, and no others. Where the brief",
      "names a count of subtasks, an order or criteria, keep to them or say in the scope why not.",
      "`blocks` has each of the open questions below.",
      ...(rejected.length === 0
        ? []
        : [
            "A critic rejected earlier plans for this; the reasons are below. Draw up another one that they do not hold against.",
          ]),
      "Your answer is the plan's JSON object and nothing else.",
    ],
    [
      ...taskData(known),
      factData(found.facts),
      jsonData("what the sweep decided", found.sweep),
      jsonData("the selected reading", found.reading),
      jsonData("open questions", found.open),
      ...(rejected.length === 0 ? [] : [jsonData("plans that were rejected, and why", rejected)]),
    ],
  );
}

/** The collision check of one subtask, with a budget of its own. */
export function collisionPrompt(
  { id, name, instruction, output_schema }: DraftSubtask,
  systems: readonly ExistingSystem[],
  commit: string,
): string {
  return prompt(
    "collision",
    [
      "Does a system that exists already do what this subtask is about (T07)? Look in the registry below and, with your two tool",
      "uses, in the project. evidence: the path of the file, or the name of the registry's entry, that shows it. Without such",
      "evidence the status is UNVERIFIED.",
      ...(systems.length === 0
        ? ["The registry is empty: the project's files are all there is."]
        : []),
      ...answerForm({ verdict: "None", verification_status: "VERIFIED", evidence: "path or name" }),
    ],
    [
      jsonData("the subtask", { id, name, instruction, output_schema }),
      jsonData("registry of existing systems", systems),
      commitData(commit),
    ],
  );
}

/** Phase 4: questions about a draft from somebody who wants to break it. */
export function questionsPrompt(request: string, draft: Draft): string {
  return prompt(
    "questions",
    [
      "You did not write this plan, and you want to break it (LAW 06, T06). Put the questions whose honest answers would show a",
      `hole: ${CRITIQUE_QUESTIONS_MIN} or more, at least one of each kind ${CRITIQUE_KINDS.join(", ")}.`,
      "They go to somebody who has seen the request and not the plan, so each must be understandable without it: no ids, no",
      "reference to the plan or to what it says.",
      ...answerForm({ questions: [{ kind: "FALSE_PASS", question: "…" }] }),
    ],
    [dataBlock("the request", request), jsonData("the plan", draft)],
  );
}

/**
 * One hostile question to somebody who cannot see the plan. Neither the plan nor anything that was
 * made from it is an argument here, so that it cannot slip in.
 */
export function blindPrompt(known: KnownTask, facts: FactsAnswer, question: string): string {
  return `${[
    COMMON_HEADER,
    '<phase name="answer">',
    "There is a plan for the request below, and you have not seen it, on purpose. Answer one question about the work from the",
    "request, what was found in the project, and what you know of such work. Say what has to be so, not what somebody may",
    "have planned. Use no tool: the answer must not come from looking around.",
    ...answerForm({ answer: "…" }),
    "</phase>",
    ...taskData(known),
    factData(facts),
    dataBlock("the question", question),
  ].join("\n\n")}\n`;
}

/** The plan beside the blind answers. */
export function comparisonPrompt(
  draft: Draft,
  critique: readonly (QuestionsAnswer["questions"][number] & { readonly answer: string })[],
): string {
  return prompt(
    "comparison",
    [
      "Hold the plan against each answer. Whoever answered has not seen it. Where the answer asks for something that the plan",
      "does not have, or the plan rests on something that the answer denies, there is a gap.",
      "severity: NONE where there is no gap; MINOR, MAJOR or CRITICAL otherwise, CRITICAL where the work would come out wrong and",
      "all checks pass. why: for a gap what has to change in the plan, otherwise what closes the question.",
      `Each of the ${critique.length} questions stands there once, by its number from 1.`,
      ...answerForm({ comparisons: [{ question: 1, severity: "NONE", why: "…" }] }),
    ],
    [
      jsonData("the plan", draft),
      jsonData(
        "questions and blind answers",
        critique.map((one, at) => ({ number: at + 1, ...one })),
      ),
    ],
  );
}

function prompt(step: StepName, lines: readonly string[], data: readonly string[]): string {
  const { toolCalls = 0, phase, title } = STEPS[step];
  return `${[
    COMMON_HEADER,
    PLANNER_PART,
    [
      `<phase name="${step}" number="${phase}">`,
      `This is phase ${phase}: ${title}. You have ${toolCalls} tool uses; the run is ended at the next one. Of a program that`,
      "tells of none, each program that it starts is one. Change no file, write none. Your",
      "answer is the last thing that you say: one JSON object, without prose around it.",
      "",
      ...lines,
      "</phase>",
    ].join("\n"),
    ["<material>", ...data, "</material>"].join("\n\n"),
  ].join("\n\n")}\n`;
}

function answerForm(example: unknown): string[] {
  return [`The form, with other content: ${JSON.stringify(example)}`];
}

function taskData({ request, brief, answers }: KnownTask): string[] {
  return [
    dataBlock("the request", request),
    ...(brief === undefined ? [] : [dataBlock("the design brief", brief)]),
    ...(answers.length === 0 ? [] : [jsonData("questions that people have answered", answers)]),
  ];
}

function commitData(commit: string): string {
  return dataBlock("the commit whose files these are", commit);
}

function factData({ premise, findings }: FactsAnswer): string {
  return jsonData("what was found in the project", { premise, findings });
}

function jsonData(label: string, value: unknown): string {
  return dataBlock(label, JSON.stringify(value, undefined, 1));
}

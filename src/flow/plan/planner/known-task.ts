import { SwornError } from "../../../base/index.ts";
import type { DesignFacts } from "../../../plan/gate/index.ts";
import {
  DESIGN_QUESTION,
  type ExistingSystem,
  type KnownAnswer,
  PROMISE_QUESTION,
} from "../../../plan/planner/index.ts";
import type { Place } from "../../place.ts";
import { Bus, isRefused, OPERATOR } from "../../talk/bus.ts";
import { addFact } from "../../talk/facts.ts";
import { boardFacts, briefText, isSettled } from "../plan-facts.ts";

/** A person's word that this task needs no design, and why one was declared done without a plan. */
const NO_DESIGN = "design.none";
const SKIPPED = "witness_skipped_reason";
/** What the gate knows of them by. */
const DECLARED = { [NO_DESIGN]: "noneReason", [SKIPPED]: "skippedReason" } as const;
type Declared = keyof typeof DECLARED;
/** What the project's facts about existing systems are called: `system.mail`. */
const SYSTEM = "system.";
/** Questions about words in outside text; their answers say nothing about a task. */
const OVERRIDE_QUESTION = "override-";

/** What a task's board says before anybody plans. */
export interface BoardKnows {
  readonly design: DesignFacts;
  /** The brief in its own words. */
  readonly brief: string | undefined;
  readonly answers: readonly KnownAnswer[];
}

/** Phase −1: reads the board of a task, which needs no agent and no tool. */
export async function readTaskBoard(on: Bus): Promise<BoardKnows> {
  const answers = knownAnswers(on);
  const said = (question: string) =>
    answers.find((one) => !one.isDefault && one.question.startsWith(question))?.answer;
  // What a person answered about the design is a fact from then on, for every later plan.
  await declare(on, NO_DESIGN, said(DESIGN_QUESTION));
  await declare(on, SKIPPED, said(PROMISE_QUESTION));
  const { design = {} } = boardFacts(on);
  return { brief: briefText(on), design, answers };
}

/** Records a person's word that no design is needed. */
export async function declareNoDesign(on: Bus, why: string | undefined): Promise<void> {
  await declare(on, NO_DESIGN, why);
}

/** Once; what an agent put under the name before does not count, and stays. */
async function declare(on: Bus, name: Declared, text: string | undefined): Promise<void> {
  const { design = {} } = boardFacts(on);
  if (text === undefined || design[DECLARED[name]] !== undefined) return;
  const { facts } = on.talk();
  let fact_id: string = name;
  for (let next = 2; facts.has(fact_id); next += 1) fact_id = `${name}.${next}`;
  const title = name === NO_DESIGN ? "No design is needed" : "Why planning was passed over";
  const said = await addFact(on, OPERATOR, { fact_id, title, text });
  if (isRefused(said)) throw new SwornError("LEDGER_BUSY", `the board refuses it: ${said.reason}`);
}

/** Those that people gave, and defaults that were taken in their place. */
function knownAnswers(on: Bus): KnownAnswer[] {
  return [...on.talk().questions.values()].flatMap((asked) => {
    const { question_id, text, answer } = asked;
    const isKnown = isSettled(on, asked) && !question_id.startsWith(OVERRIDE_QUESTION);
    if (answer === undefined || !isKnown) return [];
    return [{ question: text, answer: answer.text, isDefault: answer.isDefault }];
  });
}

/** The registry of existing systems, which is empty where nobody has recorded one. */
export function readSystems(place: Place): readonly ExistingSystem[] {
  const project = Bus.find({ place });
  if (project === undefined) return [];
  try {
    return [...project.talk().facts.values()]
      .filter(({ fact_id }) => fact_id.startsWith(SYSTEM))
      .map(({ fact_id, title, text }) => ({ name: fact_id, does: `${title}: ${text}` }));
  } finally {
    project.close();
  }
}

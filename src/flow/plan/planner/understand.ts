import {
  checked,
  checkFacts,
  checkSweep,
  chooseInterpretation,
  ENGINEERS,
  EngineerAnswer,
  engineerPrompt,
  FactsAnswer,
  factsPrompt,
  type Interpretations,
  passedBy,
  raiseDesign,
  raiseFacts,
  raiseOverrides,
  raiseSweep,
  readAnswer,
  SweepAnswer,
  sweepPrompt,
} from "../../../plan/planner/index.ts";
import { overridesIn, overridesInRequest } from "./override-words.ts";
import { type Ended, isEnded, type PlanningScene } from "./planning-scene.ts";
import { together } from "./together.ts";

/** What is known about a request before anything is planned. */
export interface Understood {
  readonly facts: FactsAnswer;
  readonly sweep: SweepAnswer;
  readonly selected: NonNullable<Interpretations["selected"]>;
  readonly rejected: Interpretations["rejected"];
}

const NOT_FOUND_OUT: FactsAnswer = { premise: "UNVERIFIED", files_read: [], findings: [] };

/** Phases −1 to 2: brief, facts, sweep, and three readings, of which one is taken. */
export async function understand(scene: PlanningScene): Promise<Understood | Ended> {
  const { doubts, known, design } = scene;
  raiseDesign(doubts, design);
  if (passedBy(design)) return { kind: "blocked", questions: doubts.questions };
  raiseOverrides(doubts, overridesInRequest(known.request));
  const facts = await confirmFacts(scene);
  if (isEnded(facts)) return facts;
  const sweep = await sweepRequest(scene, facts);
  if (isEnded(sweep)) return sweep;
  const readings = await hearEngineers(scene, facts);
  if (isEnded(readings)) return readings;
  const { selected, rejected } = chooseInterpretation(readings);
  if (selected === undefined) return nobodyCan(scene, rejected);
  raiseFoundOverrides(scene, { facts, sweep, readings });
  doubts.number();
  return { facts, sweep, selected, rejected };
}

/** A false premise ends the planning here: everything after it would be about another system. */
async function confirmFacts({ steps, known, doubts, isFile }: PlanningScene) {
  const taken = await steps.take("facts", factsPrompt(known), {
    read: (text) => checked(readAnswer(text, FactsAnswer), (found) => checkFacts(found, isFile)),
    unverified: NOT_FOUND_OUT,
  });
  if (taken.kind !== "taken") return taken;
  const before = doubts.questions.length;
  raiseFacts(doubts, taken.value);
  const isOpen = doubts.questions.length > before;
  if (taken.value.premise !== "FALSE" || !isOpen) return taken.value;
  return { kind: "blocked" as const, questions: doubts.questions };
}

async function sweepRequest({ steps, known, doubts }: PlanningScene, facts: FactsAnswer) {
  const taken = await steps.take("sweep", sweepPrompt(known, facts), {
    read: (text) =>
      checked(readAnswer(text, SweepAnswer), (sweep) => checkSweep(sweep, known, facts)),
  });
  if (taken.kind !== "taken") return taken;
  raiseSweep(doubts, taken.value);
  return taken.value;
}

async function hearEngineers({ steps, known }: PlanningScene, facts: FactsAnswer) {
  const heard = await together(
    Array.from({ length: ENGINEERS }, (_, number) =>
      steps.take("engineer", engineerPrompt(known, facts, number), {
        read: (text) => readAnswer(text, EngineerAnswer),
      }),
    ),
  );
  const readings: EngineerAnswer[] = [];
  for (const one of heard) {
    if (one.kind !== "taken") return one;
    readings.push(one.value);
  }
  return readings;
}

/** What goes into the plan from here on, and from earlier answers, besides the request. */
function raiseFoundOverrides(
  { doubts, known }: PlanningScene,
  {
    facts,
    sweep,
    readings,
  }: { facts: FactsAnswer; sweep: SweepAnswer; readings: EngineerAnswer[] },
): void {
  const unclear = sweep.areas.filter(({ outcome }) => outcome === "asked" || outcome === "assumed");
  // An answer about such words repeats them, and their question is asked again in any case.
  const answers = known.answers.filter(({ question }) => overridesIn("", question).length === 0);
  raiseOverrides(doubts, [
    ...overridesIn("What the fact check found", facts.findings),
    ...overridesIn("What the ambiguity sweep found", unclear),
    ...overridesIn("A reading of the request", readings),
    ...overridesIn("An earlier answer", answers),
  ]);
}

function nobodyCan({ doubts }: PlanningScene, rejected: Interpretations["rejected"]): Ended {
  const why = rejected.map((one) => `${one.interpretation}: ${one.rejected_because}`).join(" ");
  doubts.raise({
    ambiguity: `All ${rejected.length} engineers find the request impossible.`,
    type: "GENERALIZE",
    risk: undefined,
    question: `All ${rejected.length} engineers find the request impossible. ${why} What should be asked for instead?`,
    context: "No reading is left that could be planned.",
    default: "Nothing is planned.",
  });
  return { kind: "blocked", questions: doubts.questions };
}

import {
  BlindAnswer,
  blindPrompt,
  COMPARISONS_MAX,
  ComparisonAnswer,
  checkComparison,
  checked,
  checkQuestions,
  comparisonPrompt,
  QuestionsAnswer,
  questionsPrompt,
  readAnswer,
  withGaps,
} from "../../../plan/planner/index.ts";
import { type Critique, type Drawn, drawGraph, promptOfGraph } from "./draw-graph.ts";
import { type Ended, isEnded, type PlanningScene } from "./planning-scene.ts";
import { together } from "./together.ts";
import type { Understood } from "./understand.ts";

/** So many answer at the same time, each alone. */
const AT_ONCE = 3;

/** A plan that was criticised and repaired. */
export interface Criticised {
  readonly drawn: Drawn;
  readonly critique: Critique;
  /** What was found, also where it was repaired. */
  readonly gaps: readonly string[];
  /** What no repair closed. */
  readonly open: readonly string[];
}

/**
 * Phase 4: hostile questions about the draft, each answered in a context of its own that has never
 * seen it, and the draft held against the answers until nothing is missing, or for the last time.
 */
export async function criticise(
  scene: PlanningScene,
  understood: Understood,
  first: Drawn,
): Promise<Criticised | Ended> {
  const critique = await answeredQuestions(scene, understood, first);
  if (isEnded(critique)) return critique;
  const gaps = new Map<number, string>();
  let drawn = first;
  for (let round = 1; ; round += 1) {
    const found = await compare(scene, drawn, critique);
    if (isEnded(found)) return found;
    for (const { question, why } of found) gaps.set(question, why);
    const open = found.map(({ why }) => why);
    if (open.length === 0 || round === COMPARISONS_MAX) return concluded(drawn, gaps, open);
    const prompt = withGaps(promptOfGraph(scene, understood), drawn.draft, open);
    const repaired = await drawGraph(scene, understood, prompt);
    if (isEnded(repaired)) return repaired;
    drawn = repaired;
  }
}

type Asked = QuestionsAnswer["questions"][number] & { readonly answer: string };

async function answeredQuestions(
  { steps, known }: PlanningScene,
  { facts }: Understood,
  { draft }: Drawn,
): Promise<readonly Asked[] | Ended> {
  const taken = await steps.take("questions", questionsPrompt(known.request, draft), {
    read: (text) => checked(readAnswer(text, QuestionsAnswer), checkQuestions),
  });
  if (taken.kind !== "taken") return taken;
  const { questions } = taken.value;
  const answered: Asked[] = [];
  for (let from = 0; from < questions.length; from += AT_ONCE) {
    const group = questions.slice(from, from + AT_ONCE);
    const answers = await together(
      group.map(({ question }) =>
        steps.take("answer", blindPrompt(known, facts, question), {
          read: (text) => readAnswer(text, BlindAnswer),
        }),
      ),
    );
    for (const [at, one] of answers.entries()) {
      const asked = group[at];
      if (one.kind !== "taken") return one;
      if (asked !== undefined) answered.push({ ...asked, answer: one.value.answer });
    }
  }
  return answered;
}

async function compare({ steps }: PlanningScene, { draft }: Drawn, critique: readonly Asked[]) {
  const taken = await steps.take("comparison", comparisonPrompt(draft, critique), {
    read: (text) =>
      checked(readAnswer(text, ComparisonAnswer), (all) => checkComparison(all, critique.length)),
  });
  if (taken.kind !== "taken") return taken;
  return taken.value.comparisons.filter(({ severity }) => severity !== "NONE");
}

/** A gap costs points also where it was closed: it shows where nobody had looked. */
function concluded(
  drawn: Drawn,
  found: ReadonlyMap<number, string>,
  open: readonly string[],
): Criticised {
  const gaps = [...found.values()];
  const count = `${gaps.length} ${gaps.length === 1 ? "gap" : "gaps"} found`;
  const ending = open.length === 0 ? "and patched" : `and ${gaps.length - open.length} patched`;
  const summary = gaps.length === 0 ? "0 gaps found" : `${count} ${ending}: ${gaps.join(" ")}`;
  return { drawn, critique: { gaps: gaps.length, summary }, gaps, open };
}

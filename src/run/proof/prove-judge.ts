import { messageOf } from "../../base/index.ts";
import { JUDGE_LINES_MAX, JUDGE_POINTS_MIN } from "../../schema/work-proof.ts";
import { addedBetween } from "./changed-lines.ts";
import { fail, pass, quoted, unproven } from "./outcome.ts";
import type { ProofScene, Prove } from "./scene.ts";

const TEXT_CHARS_MAX = 100_000;

/**
 * Another agent's opinion. It is given the criterion, the rubric and a bounded part of the output: no
 * plan, no conversation, no name of who did the work. Unsure, silent or broken, it has proven nothing.
 */
export const proveJudge: Prove<"judge"> = async (proof, scene) => {
  const { criterion, rubric } = proof;
  const { judge, signal } = scene;
  if (judge === undefined) {
    return unproven(proof, "no agent is configured to judge; name one, or write a check instead");
  }
  const text = bounded(scene.output ?? (await changesOf(scene)));
  if (text.trim() === "") return unproven(proof, "there is no output that could be judged");
  signal.throwIfAborted();
  const word = await judge(criterion, rubric, text).catch((error: unknown) => messageOf(error));
  if (typeof word === "string") return unproven(proof, `the judge failed: ${quoted(word)}`);
  const { points, pass: isPass, reason } = word;
  if (!Number.isFinite(points) || points < 0 || points > 100 || typeof isPass !== "boolean") {
    return unproven(proof, `the judge gave no points from 0 to 100, found ${quoted(`${points}`)}`);
  }
  const said = `the judge gave ${points} points: ${quoted(`${reason}`)}`;
  if (points < JUDGE_POINTS_MIN) {
    return unproven(proof, `inconclusive, because ${said}; at least ${JUDGE_POINTS_MIN} decide`);
  }
  return isPass ? pass(proof, said) : fail(proof, said);
};

async function changesOf({ repository, before, after }: ProofScene): Promise<string> {
  const [added, removed] = [
    await addedBetween(repository, before, after),
    await addedBetween(repository, after, before),
  ];
  const shown = (mark: string) => (part: (typeof added)[number]) => [
    `${part.path}:${part.from}`,
    ...part.lines.map((line) => `${mark}${line}`),
  ];
  return [...added.flatMap(shown("+")), ...removed.flatMap(shown("-"))].join("\n");
}

/** The last line says that there was more, so that a judge does not take a part for the whole. */
function bounded(text: string): string {
  const lines = text.slice(0, TEXT_CHARS_MAX).split("\n");
  const isCut = lines.length > JUDGE_LINES_MAX || text.length > TEXT_CHARS_MAX;
  if (!isCut) return text;
  return [...lines.slice(0, JUDGE_LINES_MAX - 1), "[more was left out here]"].join("\n");
}

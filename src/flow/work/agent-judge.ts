import * as z from "zod";
import { dataBlock } from "../../plan/index.ts";
import type { Judge } from "../../run/proof/index.ts";
import { type AskedStranger, askForWord } from "./ask-agent.ts";

const Word = z.strictObject({
  points: z.number().min(0).max(100),
  pass: z.boolean(),
  reason: z.string().max(2_000),
});

/** An agent as the judge of one criterion at a time; it sees that, the rubric and the output. */
export function agentJudge(asked: Omit<AskedStranger, "prompt">): Judge {
  return async (criterion, rubric, text) => {
    const prompt = [
      "Judge whether a piece of work meets one criterion. You know nothing about who did it or why.",
      dataBlock("criterion", criterion),
      ...(rubric === undefined ? [] : [dataBlock("rubric", rubric)]),
      dataBlock("output to be judged", text),
      "Look for a reason to say no. The last line of your answer is one JSON object and nothing else:",
      '{"points": <0 to 100, how sure you are>, "pass": <true or false>, "reason": "<one sentence>"}',
    ].join("\n\n");
    return askForWord({ ...asked, prompt }, Word);
  };
}

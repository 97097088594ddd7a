import { type Json, parseJson, SwornError } from "../../base/index.ts";
import { checkPlan, dataBlock } from "../../plan/index.ts";
import type { Profile } from "../../schema/index.ts";
import { cut } from "../record/entry-text.ts";
import { type AskedStranger, askStranger } from "./ask-agent.ts";
import { gateWord } from "./gate-plan.ts";
import type { Replanner } from "./replan.ts";

const PLAN_BYTES_MAX = 1 << 20;
const FAILURE_CHARS_MAX = 20_000;
const VIOLATIONS_SHOWN = 50;

/** The planner agent, asked for another plan; the gate judges what it answers like any plan. */
export function agentReplanner(
  asked: Omit<AskedStranger, "prompt" | "signal" | "at">,
  profile: Profile,
): Replanner {
  return {
    replan: async ({ plan, start, failed, finished, rejected }, signal) => {
      const prompt = [
        `A subtask of a plan came to nothing: ${failed.order.subtask}. Write another plan for what is left of the task.`,
        "Keep these subtasks word for word, because they are done: " +
          (finished.join(", ") || "none"),
        "Keep the form of the plan, its staging paths for subtasks that stay, and give every subtask proofs that can fail.",
        dataBlock("plan", JSON.stringify(plan, null, 1)),
        dataBlock("why it came to nothing", failureOf(failed)),
        ...(rejected === undefined
          ? []
          : [dataBlock("why your last plan was not taken", rejected.slice(0, FAILURE_CHARS_MAX))]),
        "Your answer is the whole new plan, as one JSON document and nothing else.",
      ].join("\n\n");
      return documentIn(await askStranger({ ...asked, at: start, prompt, signal }));
    },
    check: (value) => {
      const word = gateWord(checkPlan(value), profile);
      if (word.kind === "open" && word.gated.held.size === 0) {
        return { plan: word.gated.plan, report: word.gated.report };
      }
      const { violations, questions, points } = word.report;
      const why = [
        ...violations.slice(0, VIOLATIONS_SHOWN).map(({ path, message }) => `${path}: ${message}`),
        ...questions.map(({ id, question }) => `${id}: ${question}`),
      ];
      return { why: `the gate does not let it through (${points} points): ${why.join("; ")}` };
    },
  };
}

function failureOf({ why = "", proofs }: Parameters<Replanner["replan"]>[0]["failed"]): string {
  const failed = (proofs?.outcomes ?? []).filter(({ verdict }) => verdict !== "pass");
  const lines = failed.map(
    ({ proof, reason, output }) => `${JSON.stringify(proof)}\n${reason}\n${output}`,
  );
  return cut([why, ...lines].join("\n\n"), FAILURE_CHARS_MAX);
}

/** The document between the first and the last brace, whatever stands around it. */
function documentIn(words: string): Json {
  const [from, to] = [words.indexOf("{"), words.lastIndexOf("}")];
  if (from < 0 || to < from) {
    throw new SwornError("INPUT_INVALID", "the agent that plans answered with no plan");
  }
  return parseJson(words.slice(from, to + 1), PLAN_BYTES_MAX);
}

import type { Control } from "./engine.ts";
import type { LauncherWriter } from "./launcher.ts";
import { descriptorQuestions } from "./probe-descriptors.ts";
import { isolationQuestions } from "./probe-isolation.ts";
import { limitQuestions } from "./probe-limits.ts";
import { networkQuestions } from "./probe-network.ts";
import type { Expected, Question } from "./question.ts";

/**
 * Puts the questions into the launcher and gives what reads their answers. Nothing that the engine
 * says of itself is believed: each control is tried from where the task will stand.
 */
export function writeProbe(
  writer: LauncherWriter,
  expected: Expected,
): (report: Buffer) => Control[] {
  const questions = [
    ...descriptorQuestions(writer, expected),
    ...limitQuestions(writer, expected),
    ...networkQuestions(writer),
    ...isolationQuestions(writer, expected),
  ];
  return (report) => {
    const names = [...new Set(questions.map(({ control }) => control))];
    return names.map((name) => controlOf(name, questions, report));
  };
}

function controlOf(name: string, questions: readonly Question[], report: Buffer): Control {
  const own = questions.filter(({ control }) => control === name);
  const wrong = own.flatMap((question) => question.judge(report) ?? []);
  return wrong.length === 0
    ? {
        name,
        holds: true,
        seen: `${own.length} ${own.length === 1 ? "trial" : "trials"} from inside`,
      }
    : { name, holds: false, seen: wrong.slice(0, 5).join("; ") };
}

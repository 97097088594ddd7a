import { sha256Hex } from "../../../base/index.ts";
import type { StepName } from "../../../plan/planner/index.ts";
import type { Heard } from "./ask.ts";

/** An answer on its way into the record. */
export interface RecordedAnswer {
  readonly step: StepName;
  /** Names what was asked; the same question has the same key. */
  readonly key: string;
  readonly prompt: string;
  readonly heard: Heard;
  /** From 1. */
  readonly attempt: number;
  /** Why it is no answer; empty when it is one. */
  readonly violations: readonly string[];
}

/** What remembers answers, and knows those of an earlier planning. */
export interface AnswerBook {
  recall(step: StepName, prompt: string): string | undefined;
  heard(answer: RecordedAnswer): Promise<void>;
}

/** The key of a question: whoever is asked the same once more need not be asked. */
export function askedKey(step: StepName, prompt: string): string {
  return sha256Hex(`${step}\0${prompt}`);
}

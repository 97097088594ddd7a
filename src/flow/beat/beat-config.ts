import { readConfig } from "../workflow-config.ts";

const SECOND_MS = 1_000;

/** Whose patience counts in a project, and how long its beats last. */
export function tempoOf(root: string): {
  readonly beatMs: number | undefined;
  readonly beatsMax: number | undefined;
} {
  return { beatMs: beatMsOf(root), beatsMax: readConfig(root).beat?.patience };
}

/** How long the beats of a project last; undefined where its `sworn.yaml` says nothing. */
export function beatMsOf(root: string): number | undefined {
  const seconds = readConfig(root).beat?.seconds;
  return seconds === undefined ? undefined : seconds * SECOND_MS;
}

import type { JudgedOutput } from "../../run/collect/index.ts";
import type { Executed } from "../../run/index.ts";
import { manifestBytes } from "../../run/manifest/index.ts";
import type { AdmissionDecision } from "../../schema/admission.ts";
import type { RequestedArtifact } from "../../schema/index.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { json } from "./exec-record.ts";

/** A run that is over and judged, with all that is recorded of it. */
export interface EndedRun {
  readonly ran: Extract<Executed, { kind: "ran" }>;
  readonly judged: JudgedOutput;
  readonly manifest: Manifest;
  readonly manifestPath: string;
  /** Where the copies of its output are. */
  readonly copies: string;
  readonly artifacts: readonly RequestedArtifact[];
}

/** When a limit or a signal ended the task there is no exit code of its own. */
export const NO_EXIT = -1;

/** What a record has of a run that was judged. */
export function documents(
  manifest: Manifest,
  note: string | undefined,
  decision: AdmissionDecision,
): RequestedArtifact[] {
  const text = manifestBytes(manifest).toString();
  return [
    { name: "manifest.json", text, media_type: "application/json" },
    ...(note === undefined
      ? []
      : [{ name: "manifest.note", text: note, media_type: "text/plain" }]),
    json("completion.json", decision),
  ];
}

/** What the task did, in a sentence. */
export function summaryOf(
  { end, before }: Pick<Extract<Executed, { kind: "ran" }>, "end" | "before">,
  files: number,
): string {
  const how =
    end.limit === undefined ? `ended with ${end.code ?? end.signal}` : `was ended by ${end.limit}`;
  const what =
    before === undefined || before.code === 0 ? "the task" : "the installation before it";
  return `${what} ${how} and left ${files === 1 ? "1 file" : `${files} files`}`;
}

import { parseJson } from "../../base/index.ts";
import { CompletionDocument, type JudgedItem } from "../../schema/completion.ts";
import { WorkReport } from "../../schema/work.ts";
import { refutedWords, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { soundText } from "../trace/artifact-bytes.ts";
import { completionOf, inRound } from "./next-step.ts";

const DOCUMENT_BYTES_MAX = 64 << 20;

/** What is not proven of what a session did: of its last work, and of what it takes to be done. */
export function unprovenParts(
  work: WorkReport | undefined,
  done: readonly JudgedItem[],
): readonly string[] {
  return [
    ...(work?.unproven ?? []),
    ...(work === undefined ? [] : refutedWords(work)),
    ...done.flatMap(({ item, state, reason }) => (state === "done" ? [] : [`${item}: ${reason}`])),
  ];
}

/** The artifact that came with a completion, whole: what it takes to be done as it was voted on. */
export function completionName(completion: string): string {
  return `completion-${completion}`.slice(0, 64);
}

/**
 * The same from the record alone, for whoever only looks.
 *
 * @throws SwornError when what the record cites is missing, or is not what was recorded.
 */
export function recordedGaps(place: Place, session: Session): readonly string[] {
  const named = (name: string) => {
    const hash = session.artifactNames.get(name);
    return hash === undefined ? undefined : parseJson(soundText(place, hash), DOCUMENT_BYTES_MAX);
  };
  const { reworkRounds: round } = session;
  const [completion] = completionOf(session, round) ?? [];
  const work = WorkReport.safeParse(named(inRound("work-report", round))).data;
  const document = completion === undefined ? undefined : named(completionName(completion));
  return unprovenParts(work, CompletionDocument.safeParse(document).data?.done ?? []);
}

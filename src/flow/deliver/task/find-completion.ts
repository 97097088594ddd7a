import { parseJson } from "../../../base/index.ts";
import { CompletionDocument } from "../../../schema/completion.ts";
import type { Entry } from "../../../schema/index.ts";
import { isAboutCommit } from "../../../view/index.ts";
import type { Place } from "../../place.ts";
import { soundText } from "../../trace/artifact-bytes.ts";

const DOCUMENT_BYTES_MAX = 8 << 20;

/** What was said of a commit when it was proposed as complete, by sound entries; null where it never was. */
export function completionIn(
  place: Place,
  entries: readonly Entry[],
  commit: string,
  id?: string,
): CompletionDocument | null {
  const proposed = entries.findLast(
    (entry): entry is Entry<"completion_proposed"> =>
      entry.type === "completion_proposed" &&
      isAboutCommit(entry.body.artifact, commit) &&
      (id === undefined || entry.body.completion_id === id),
  );
  if (proposed === undefined) return null;
  if ((place.artifacts.size(proposed.body.digest) ?? 0) > DOCUMENT_BYTES_MAX) return null;
  const text = soundText(place, proposed.body.digest);
  return CompletionDocument.parse(parseJson(text, DOCUMENT_BYTES_MAX));
}

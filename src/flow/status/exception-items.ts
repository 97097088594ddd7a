import { type FoundException, findExceptions } from "../exception/standing-exceptions.ts";
import type { Place } from "../place.ts";
import { shellWord } from "./shell-word.ts";
import type { StatusItem } from "./status-item.ts";

/** So long before its end an exception is worth a word. */
const SOON_MS = 7 * 86_400_000;

/** Exceptions that soon allow nothing any more, and those that never did. */
export async function exceptionItems(place: Place): Promise<StatusItem[]> {
  const found = await findExceptions(place);
  return found.flatMap((one) => itemOf(one, place.clock()));
}

function itemOf({ trace, exception, isEnded, why }: FoundException, nowMs: number): StatusItem[] {
  if (exception === undefined) {
    const next = "sworn exception ls";
    const own = { kind: "exception", name: trace, task: null, trace, at: null, next } as const;
    const about = why ?? "its record holds no exception";
    return [{ ...own, urgency: "damaged", state: "void", waits_for: "you", about }];
  }
  const { id, rule, scope, expires_at: until, owner } = exception;
  const leftMs = Date.parse(until) - nowMs;
  if (isEnded || leftMs <= 0 || leftMs > SOON_MS) return [];
  return [
    {
      ...{ urgency: "expires", kind: "exception", name: id, task: scope.tasks[0] ?? null, trace },
      ...{ state: "stands", waits_for: owner, at: until },
      about: `from ${until} on ${rule} holds again for ${scope.tasks.join(", ")}`,
      next: `sworn exception end ${shellWord(id)} --why <words>`,
    },
  ];
}

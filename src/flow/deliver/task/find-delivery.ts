import * as z from "zod";
import { parseJson } from "../../../base/index.ts";
import type { Place } from "../../place.ts";
import { soundText } from "../../trace/artifact-bytes.ts";
import { readTrace } from "../../trace/look.ts";
import { soundEntries } from "../../trace/sound-entries.ts";
import { DELIVERED } from "../deliver-record.ts";

/** Most traces that are looked through, the newest first. */
const TRACES_MAX = 1_000;
const DOCUMENT_BYTES_MAX = 1 << 20;

/** What the record of a delivery says of it, as far as it is asked for later. */
const Delivery = z.object({
  sink: z.string(),
  commit: z.string(),
  branch: z.string().optional(),
  request: z.int().min(1).optional(),
});
export type Delivery = z.infer<typeof Delivery>;

/**
 * The deliveries of a commit that are on record, the newest first. Each is believed only from a record
 * that verifies: what a forge is asked, and so where the token goes, follows from it.
 */
export async function deliveriesOf(place: Place, commit: string): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for (const trace of place.traces().slice(-TRACES_MAX).reverse()) {
    if (!isDeliveryOf(place, trace, commit)) continue;
    const { entries } = await soundEntries(place, trace);
    const ends = entries.filter(({ type }) => type === "tool_execution_completed");
    const documents = ends.flatMap(({ artifacts }) =>
      artifacts.filter((one) => one.name === DELIVERED),
    );
    const read = documents.flatMap(({ hash }) => readDocument(place, hash) ?? []);
    found.push(...read.filter((one) => one.commit === commit));
  }
  return found;
}

function readDocument(place: Place, hash: string): Delivery | undefined {
  if ((place.artifacts.size(hash) ?? 0) > DOCUMENT_BYTES_MAX) return undefined;
  const text = soundText(place, hash);
  return Delivery.safeParse(parseJson(text, DOCUMENT_BYTES_MAX)).data;
}

/** A cheap look, so that only records of this commit are verified in full. */
function isDeliveryOf(place: Place, trace: string, commit: string): boolean {
  try {
    const entries = readTrace(place, trace);
    const [first] = entries;
    return (
      first?.type === "session_initialized" &&
      first.body.task === "deliver" &&
      entries.some(
        ({ type, body }) =>
          type === "tool_execution_completed" && body.summary?.includes(`commit ${commit},`),
      )
    );
  } catch {
    // A trace that cannot be read says of nothing that it was delivered.
    return false;
  }
}

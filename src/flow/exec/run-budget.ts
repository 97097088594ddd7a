import * as z from "zod";
import { parseJson, ulid } from "../../base/index.ts";
import type { AdmissionFacts } from "../../schema/admission.ts";
import type { RunSettings } from "../../schema/config.ts";
import type { Place } from "../place.ts";
import { soundBytes } from "../trace/artifact-bytes.ts";
import { sessionOf } from "../trace/look.ts";

/** What a run may cost, as its record has it. */
export const SPEND_NAME = "spend.json";
const Spend = z.strictObject({ thousandths: z.int().min(0) });
const SPEND_BYTES_MAX = 1_024;
const DAY_MS = 86_400_000;
const TRACE_PREFIX = "trace_";
/** The part of a trace's name that is its time. */
const TIME_CHARS = 10;

type Budget = AdmissionFacts["budget"];

/**
 * What is spent with this run and what may be: of a run alone, or of the day so far, whichever is
 * over. A trace of today that cannot be read makes the day's sum unknown, which the policies deny.
 * Without a ceiling in `sworn.yaml` nothing may be spent.
 */
export function budgetOf(
  place: Place,
  thousandths: number,
  settings: RunSettings["spend"],
): Budget {
  const perDay = toThousandths(settings?.per_day);
  // Nothing said is nothing allowed; a ceiling for the day alone is one for each run of it too.
  const perRun = toThousandths(settings?.per_run) ?? perDay ?? 0;
  const run = { spent_thousandths: thousandths, ceiling_thousandths: perRun };
  if (perDay === undefined || thousandths > perRun) return run;
  const today = spentToday(place);
  return {
    spent_thousandths: today === undefined ? null : today + thousandths,
    ceiling_thousandths: perDay,
  };
}

/** What a run that begins now may come to, in millionths; nothing where the day's sum is not known. */
export function leftMicroUsd(place: Place, settings: NonNullable<RunSettings["spend"]>): number {
  const perDay = toThousandths(settings.per_day);
  const ofDay = perDay === undefined ? undefined : perDay - (spentToday(place) ?? perDay);
  const perRun = toThousandths(settings.per_run);
  return Math.max(0, Math.min(ofDay ?? perRun ?? 0, perRun ?? ofDay ?? 0)) * 1_000;
}

function toThousandths(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : Math.round(amount * 1_000);
}

/** What the runs of this UTC day were to cost; undefined when a trace cannot be read. */
function spentToday(place: Place): number | undefined {
  const startMs = Math.floor(place.clock() / DAY_MS) * DAY_MS;
  const first = `${TRACE_PREFIX}${ulid(startMs).slice(0, TIME_CHARS)}`;
  try {
    return place
      .traces()
      .filter((trace) => trace.slice(0, first.length) >= first)
      .reduce((sum, trace) => sum + spentIn(place, trace), 0);
  } catch {
    // Fail closed: what cannot be read may have cost anything.
    return undefined;
  }
}

/** What one run was to cost. What did not begin cost nothing. */
function spentIn(place: Place, trace: string): number {
  const { session } = sessionOf(place, trace);
  const hash = session.artifactNames.get(SPEND_NAME);
  if (hash === undefined || session.executions.size === 0) return 0;
  const text = Buffer.concat([...soundBytes(place, hash)]).toString("utf8");
  return Spend.parse(parseJson(text, SPEND_BYTES_MAX)).thousandths;
}

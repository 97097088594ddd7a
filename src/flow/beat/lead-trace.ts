import { SwornError } from "../../base/index.ts";
import { isOwnerGone, ownerOf } from "../../sandbox/index.ts";
import { isRunOut } from "../../view/index.ts";
import { type BeatTempo, type BeatVoice, openDueBeat, request } from "./beat-voice.ts";

/** A lease counts for the beat in which it is taken and so many more. */
const LEASE_BEATS = 1;
const TAKINGS_MAX = 10;
const BOOT_ID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\./;

/** What this process is called as the one that leads; others can tell from it whether it is gone. */
export function ownHolder(): string {
  return ownerOf().replaceAll("-", "").replaceAll("/", ".");
}

/** Whether the process of a holder is gone for certain; of names that are none, nobody knows. */
function isHolderGone(holder: string): boolean {
  if (!BOOT_ID.test(holder)) return false;
  return isOwnerGone(holder.replace(BOOT_ID, "$1-$2-$3-$4-$5.").replaceAll(".", "/"));
}

/**
 * Takes the lead of a trace, or takes it once more. From then on every entry carries the lease's
 * number, so that whoever led before writes nothing any more, whether it knows or not.
 *
 * @returns the number
 * @throws SwornError `LEDGER_BUSY` while another one leads that is not gone and whose lease has not
 * run out.
 */
export async function takeLead(
  voice: BeatVoice,
  tempo: BeatTempo,
  holder = ownHolder(),
): Promise<number> {
  for (let taking = 0; taking < TAKINGS_MAX; taking += 1) {
    const beat = await openDueBeat(voice, tempo);
    if (beat === undefined) break;
    const { lease } = voice.cadence();
    const isForeign = lease?.isStanding === true && lease.holder !== holder;
    if (isForeign && !isRunOut(voice.cadence())) await endForGone(voice, lease.number);
    const number = (lease?.number ?? 0) + 1;
    const body = { number, holder, until_beat: beat.beat_index + LEASE_BEATS };
    const refusal = await voice.record(request("lease_taken", body));
    if (refusal === undefined) return number;
    // Somebody else was faster; whether that one leads now is seen with the next look.
  }
  throw busy(voice, "no lead could be taken");
}

/** Ends the lease of a process that was looked for and is not there. */
async function endForGone(voice: BeatVoice, number: number): Promise<void> {
  const { lease } = voice.cadence();
  if (lease === undefined || !isHolderGone(lease.holder)) {
    const until = `its lease ${number} counts through beat ${lease?.untilBeat}`;
    throw busy(voice, `another runtime leads it (${lease?.holder}), and ${until}`);
  }
  await voice.record(request("lease_ended", { number }));
}

/** Gives the lead back, if it is still ours. */
export async function endLead(voice: BeatVoice, number: number): Promise<void> {
  const { lease } = voice.cadence();
  if (lease?.isStanding !== true || lease.number !== number) return;
  await voice.record(request("lease_ended", { number }));
}

function busy({ trace }: BeatVoice, why: string): SwornError {
  return new SwornError("LEDGER_BUSY", `${trace}: ${why}; wait for it, or end it`);
}

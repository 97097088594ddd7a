// Leads one trace and says something under its lease again and again, until it is refused.
// Arguments: store, state, trace, name. On stdout: what was acknowledged, as soon as it was.
import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { recorderVoice } from "../../dist/flow/beat/beat-voice.js";
import { takeLead } from "../../dist/flow/beat/lead-trace.js";
import { Place } from "../../dist/flow/place.js";
import { Recorder } from "../../dist/flow/record/recorder.js";

const [store, state, trace, name] = process.argv.slice(2);
const PAUSE_MS = 60;
const MESSAGES_MAX = 1_000;

const say = (words) => writeSync(1, `${words}\n`);

try {
  const place = new Place({ store, state });
  const recorder = Recorder.resume(place, trace);
  const fence = await takeLead(recorderVoice(place, recorder), { phase: "work" });
  say(`leads ${fence}`);
  for (let counter = 0; counter < MESSAGES_MAX; counter += 1) {
    const actor = { agent: "sworn", role: "runtime" };
    const request = { actor, type: "message_posted", body: { text: `${name} ${counter}` } };
    const { refusal } = await recorder.record([request], { artifactRoots: [], fence });
    if (refusal) {
      say(`refused ${refusal.rule} ${refusal.reason}`);
      break;
    }
    say(`ack ${name} ${counter}`);
    await wait(PAUSE_MS);
  }
  recorder.close();
} catch (error) {
  say(`failed ${error.code ?? "UNEXPECTED"} ${error.message}`);
  process.exitCode = 1;
}

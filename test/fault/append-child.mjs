// Appends messages to one trace and says on stdout what was acknowledged, as soon as it was.
// Arguments: store, state, trace, name, groups, entries a group, artifacts (yes or no).
import { writeSync } from "node:fs";
import { Place } from "../../dist/flow/place.js";
import { Recorder } from "../../dist/flow/record/recorder.js";

const [store, state, trace, name, groups, groupSize, artifacts] = process.argv.slice(2);
const actor = { agent: "mara", role: "operator" };

/** Each message says who wrote it and which of its messages it is. */
function toRequest(counter) {
  const text = `${name} ${counter}`;
  const brought = artifacts === "yes" ? { artifacts: [{ text: `what ${text} brought` }] } : {};
  return { actor, type: "message_posted", body: { text }, ...brought };
}

/** Not being heard is no failure of the record: it ends the process and says nothing more. */
function say(words) {
  try {
    writeSync(1, `${words}\n`);
  } catch {
    process.exit(3);
  }
}

try {
  const recorder = Recorder.resume(new Place({ store, state }), trace);
  say("open");
  for (let group = 0; group < Number(groups); group += 1) {
    const requests = Array.from({ length: Number(groupSize) }, (_, at) =>
      toRequest(group * Number(groupSize) + at),
    );
    const { refusal } = await recorder.record(requests, { artifactRoots: [] });
    if (refusal) throw new Error(refusal.reason);
    say(`ack ${recorder.head.size} ${recorder.head.hash}`);
  }
  recorder.close();
  say("closed");
} catch (error) {
  say(`failed ${error.code ?? "UNEXPECTED"} ${error.message}`);
  process.exitCode = 1;
}

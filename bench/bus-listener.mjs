// Follows a task's bus until so many messages came, and says how late each was, in milliseconds.

import { Place } from "../dist/flow/place.js";
import { Bus } from "../dist/flow/talk/bus.js";
import { followBus } from "../dist/flow/talk/follow-bus.js";

const [store, state, count] = process.argv.slice(2);
const on = Bus.open({ place: new Place({ store, state }), task: "bench" });
const known = on.talk().messages.length;
const stop = new AbortController();
const late = [];
process.send("ready");
for await (const fresh of followBus(on, stop.signal)) {
  const now = Date.now();
  // The time in an entry is taken just before it is signed and committed.
  for (const { at } of fresh) late.push(now - Date.parse(at));
  if (late.length + known >= Number(count)) stop.abort();
}
on.close();
process.send({ late });
process.disconnect();

// Posts so many messages on a task's bus, one after the other, when its parent says so.
import { once } from "node:events";

import { Place } from "../dist/flow/place.js";
import { Bus } from "../dist/flow/talk/bus.js";
import { enrolAgent } from "../dist/flow/talk/join.js";
import { post } from "../dist/flow/talk/post.js";

const [store, state, agent, count] = process.argv.slice(2);
const on = await Bus.begin({ place: new Place({ store, state }), task: "bench" });
await enrolAgent(on, agent, ["executor"]);
const go = once(process, "message");
process.send("ready");
await go;
for (let index = 0; index < Number(count); index += 1) {
  const said = await post(on, { agent, role: "executor" }, { text: `${agent} ${index}` });
  if (said.kind === "refused") throw new Error(said.reason);
}
on.close();
process.send("done");
process.disconnect();

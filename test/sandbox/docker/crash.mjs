// Prepares a task and waits to be killed: node crash.mjs <socket> <state> <image> <begin?>
import { DockerEngine } from "../../../dist/sandbox/docker/index.js";
import { Limits } from "../../../dist/schema/execution.js";

const [socket, state, image, begin] = process.argv.slice(2);
const engine = new DockerEngine({ host: `unix://${socket}`, state });
const prepared = await engine.prepare({
  id: `crash-${begin}`,
  root: { kind: "image", id: image, digest: image },
  argv: ["sleep", "1000"],
  cwd: "/",
  env: { PATH: "/bin" },
  mounts: [],
  limits: Limits.parse({}),
});
if (begin === "begin") prepared.begin();
process.stdout.write("ready\n");
setInterval(() => undefined, 1_000);

import { AgentRunner } from "../agent/agent-runner.ts";
import { chooseAgent } from "../agent/choose-agent.ts";
import { type Attempt, fails, holds } from "./guarantee.ts";
import { noSandbox } from "./no-sandbox.ts";

const LIE = "All 12 tests pass.";
const FAILING_TEST = `import assert from "node:assert";
import { test } from "node:test";

test("adds two numbers", () => assert.equal(2 + 2, 5));
`;
const SECONDS_MAX = 40;

/** An agent says that tests pass which it never ran, and which fail. */
export const lieAboutTests: Attempt = {
  name: "a lie about tests",
  tried: `an agent that runs nothing and says "${LIE}", of a test that fails`,
  make: async (product, ground) => {
    const { project, env, home, signal } = ground;
    const liar = { driver: "command", argv: ["sh", "-c", `cat > /dev/null; echo "${LIE}"`] };
    await ground.commit({
      "add.test.mjs": FAILING_TEST,
      "sworn.yaml": JSON.stringify({ agents: { liar } }),
    });
    const { driver, config } = await chooseAgent("liar", { root: project, env, home });
    const place = ground.place();
    const runner = await AgentRunner.open({ folder: project, env, home, placeFor: () => place });
    try {
      const { refused, said } = await product.runAgent(runner, {
        ...{ agent: "liar", driver, task: "prove", signal },
        limits: { ...config.limits, seconds: SECONDS_MAX },
        prompt: "Make the tests pass.\n",
        onEvent: () => {},
        onStep: () => {},
      });
      if (refused) return noSandbox(refused);
      const found = said.find(({ claim }) => claim.kind === "tests");
      if (found === undefined) return fails("its claim was not noticed");
      const answered = `${found.verdict}: ${found.reason}`;
      if (found.verdict === "HALLUCINATED") return holds(answered);
      const hint = found.verdict === "UNVERIFIED" ? '; install strace, see "sworn doctor"' : "";
      return fails(`${answered}${hint}`);
    } finally {
      await runner.close();
    }
  },
};

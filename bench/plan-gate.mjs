// How long the plan gate takes, against parsing and schema-validating the same text.
import { checkPlan } from "../dist/plan/index.js";
import { Verimap } from "../dist/schema/plan.js";
import { alternate, compare, runAlone, timed } from "./measure.mjs";
import { largePlan } from "./plan-world.mjs";

const SUBTASKS = 500;
/** The schema takes a thousand subtasks at most, so growth is measured from a tenth of that. */
const FEW = 100;
const GROWTH = 10;
/**
 * What one leaves behind is cleared away in the time of whoever runs next, so each runs several times in a
 * row: about as long as the other, and long enough that most of what is cleared away is its own.
 */
const GATES = 5;
const PARSES = 20;

export async function measure({ rounds = "25" }) {
  const text = JSON.stringify(largePlan(SUBTASKS));
  const few = JSON.stringify(largePlan(FEW));
  const many = JSON.stringify(largePlan(FEW * GROWTH));
  const once = await alternate(
    {
      bare: async () => (await timed(() => repeat(() => validate(text), PARSES))) / PARSES,
      gate: async () => (await timed(() => repeat(() => judge(text), GATES))) / GATES,
    },
    { rounds: Number(rounds), warmUp: 3 },
  );
  const growth = await alternate(
    {
      few: () => timed(() => repeat(() => judge(few), GROWTH)),
      many: () => timed(() => judge(many)),
    },
    { rounds: Number(rounds) },
  );
  return [
    compare({
      name: `plan gate, ${SUBTASKS} subtasks / JSON.parse and schema`,
      ours: once.gate,
      bare: once.bare,
      most: 5,
    }),
    compare({
      name: `plan gate, ${FEW * GROWTH} subtasks / ${GROWTH} plans of ${FEW}`,
      ours: growth.many,
      bare: growth.few,
      most: 1.3,
    }),
  ];
}

function validate(text) {
  if (!Verimap.safeParse(JSON.parse(text)).success) throw new Error("the plan has no right shape");
}

function judge(text) {
  const { ready, violations } = checkPlan(JSON.parse(text));
  if (!ready) throw new Error(`the plan is not ready: ${JSON.stringify(violations[0])}`);
}

function repeat(run, times) {
  for (let index = 0; index < times; index += 1) run();
}

await runAlone(import.meta.url, measure);

import type { Profile } from "../../schema/index.ts";
import type { Plan, PlanSubtask } from "../../schema/plan.ts";
import { covers } from "./work-parts.ts";
import type { Weakened, WorkScene } from "./work-scene.ts";

/** Our own store: a merge of the branch would write what lies there into it. */
const STORE = /^\.sworn(?:\/|$)/i;
const SCAFFOLD = /(?:^|\/)_temp_[^/]*$/;

/** What is wrong with a change whatever its proofs say, and what is only to be known about it. */
export interface ChangeJudged {
  readonly against: readonly string[];
  /** The tests that it weakens, where that does not speak against it. */
  readonly weakened: readonly string[];
  readonly notes: readonly string[];
}

/** Looks at which files a subtask changed, and whether it made a test easier to pass. */
export async function judgeChange(
  subtask: PlanSubtask,
  plan: Plan,
  change: { readonly at: string; readonly commit: string; readonly changed: readonly string[] },
  scene: Pick<WorkScene, "weakenedBy" | "profile">,
): Promise<ChangeJudged> {
  const foreign = change.changed.flatMap((path) => whyForeign(path, subtask, plan) ?? []);
  const left = change.changed
    .filter((path) => SCAFFOLD.test(path))
    .map((path) => `it leaves the scaffolding ${path}`);
  const tests =
    change.at === change.commit
      ? { weakened: [], notes: [] }
      : await scene.weakenedBy(change.at, change.commit);
  return sortWeakened([...foreign, ...left], tests, scene.profile);
}

/** A weakened test blocks wherever somebody else relies on the tests; alone, it is said to the end. */
function sortWeakened(
  against: readonly string[],
  { weakened, notes }: Weakened,
  profile: Profile,
): ChangeJudged {
  return profile === "solo"
    ? { against, weakened, notes }
    : { against: [...against, ...weakened], weakened: [], notes };
}

function whyForeign(path: string, subtask: PlanSubtask, plan: Plan): string | undefined {
  if (STORE.test(path)) return `it changes ${path}, which is the store's and nobody's to write`;
  if (subtask.files?.some((one) => covers(one, path))) return undefined;
  const owner = plan.subtasks.find(
    (other) => other.id !== subtask.id && other.files?.some((one) => covers(one, path)),
  );
  if (owner !== undefined) return `it changes ${path}, which belongs to ${owner.id}`;
  return subtask.files === undefined
    ? undefined
    : `it changes ${path}, which is outside of its files (${subtask.files.join(", ")})`;
}

import { redact } from "../../scan/classify/index.ts";
import { type ExecutionPlan, WORKSPACE } from "../../schema/execution.ts";
import type { ExecScene } from "./exec.ts";
import { startOf } from "./work-copy.ts";

/** The name of the plan in the record. */
export const PLAN_NAME = "plan.json";

function pullSteps(pull: ExecScene["pull"]): ExecutionPlan["steps"] {
  if (pull === undefined) return [];
  const hosts = pull.hosts.join(", ");
  if (pull.install === undefined) return [{ what: `Let it read from ${hosts} while it runs` }];
  return [
    { what: `Install what the lockfile pins, reading from ${hosts}`, argv: [...pull.install] },
    { what: "Take the way out away, and end whatever the installation left running" },
  ];
}

/** What is going to be done, and why in this environment. */
export function planOf(scene: ExecScene): ExecutionPlan {
  const { request, environment, task, input, pull, limits } = scene;
  const { name, digest } = environment;
  const files = input.commit === null ? "no files" : `the files of commit ${input.commit}`;
  const clean = (text: string) => redact(text.toWellFormed()).text;
  return {
    v: 1,
    task,
    ...(request.description === undefined ? {} : { description: clean(request.description) }),
    engine: request.engine,
    environment: { name, digest },
    rationale: clean(request.rationale),
    steps: [
      { what: `Lay out ${files} in ${WORKSPACE.input}, read-only` },
      { what: "Make the sandbox and try every control from inside" },
      ...pullSteps(pull),
      {
        what: `Run in ${startOf(input.folder)}, a copy of those files, for at most ${limits.step_seconds} seconds`,
        argv: request.argv.map(clean),
      },
      { what: `Collect ${WORKSPACE.output}, judge it, ask the policies and sign the manifest` },
    ],
  };
}

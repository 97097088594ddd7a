import type { Repository } from "../../repo/index.ts";
import { changedCommand, packageScript } from "../../run/proof/index.ts";
import { isTestCode } from "../../scan/kind/index.ts";
import type { GateVerdict } from "../../schema/work.ts";
import { testCounts } from "../../verify/observed/index.ts";
import { silencedTests } from "../change/silenced-tests.ts";
import type { Ran, SealedProver } from "./sealed-prover.ts";
import type { Seen } from "./work-parts.ts";

const ENTRIES_MAX = 200_000;

/**
 * Runs all tests of the project on the assembled branch, sealed off. Where none are found, or none
 * were counted, nothing is shown, and that is what it says.
 */
export async function testGate(
  seen: Seen,
  {
    prover,
    repository,
    argv,
  }: {
    readonly prover: SealedProver;
    readonly repository: Repository;
    /** What `sworn.yaml` says runs them. */
    readonly argv: readonly string[] | undefined;
  },
): Promise<Omit<GateVerdict, "gate">> {
  const command = argv ?? (await findAllTests(repository, seen.after));
  if (command === undefined) {
    const why = "no tests were found; sworn.yaml can say how they are run, as work.tests";
    return { by: "the runtime", verdict: "unproven", reasons: [why] };
  }
  seen.onStep(`all tests: ${command.join(" ")}`);
  const { before, after } = seen;
  // A file that the plan gives to somebody is theirs to change, and still no witness for the whole.
  const changed = await changedCommand(command, { repository, before, after });
  const runOn = (commit: string) => prover.run(command, { ...seen, after: commit });
  const ran = await runOn(after);
  const judged = judgeRun(command.join(" "), ran, changed !== undefined);
  if (judged.verdict === "fail") return judged;
  const silenced =
    before === after
      ? []
      : await silencedTests(repository, {
          before: { commit: before, printed: (await runOn(before)).printed },
          after: { commit: after, printed: ran.printed },
          what: "work",
        });
  const reasons = [...judged.reasons, ...silenced];
  return silenced.length > 0 ? { ...judged, verdict: "fail", reasons } : judged;
}

function judgeRun(
  command: string,
  { outcome, printed }: Ran,
  isChanged: boolean,
): Omit<GateVerdict, "gate"> {
  const { passed = 0, failed = 0 } = testCounts(printed) ?? {};
  const doubts = [
    ...(outcome.verdict === "pass" ? [] : [`${command}: ${outcome.reason}`]),
    ...(passed + failed > 0 ? [] : [`${command} counted no test`]),
    ...(isChanged ? [`what ${command} does was changed by the work`] : []),
  ];
  const isFailed = outcome.verdict === "fail" || failed > 0;
  const verdict = doubts.length > 0 ? "unproven" : "pass";
  return {
    by: `the runtime (${command})`,
    verdict: isFailed ? "fail" : verdict,
    reasons: doubts,
  };
}

/** What runs all tests of a project by its own word, or by what its tests are called. */
export async function findAllTests(
  repository: Repository,
  commit: string,
): Promise<readonly string[] | undefined> {
  if ((await packageScript(repository, commit, "test")) !== undefined) return ["npm", "test"];
  let count = 0;
  for await (const { path } of repository.listTree(commit)) {
    count += 1;
    if (count > ENTRIES_MAX) break;
    if (!isTestCode(path) || path.includes("node_modules/")) continue;
    if (/\.[cm]?js$/.test(path)) return ["node", "--test"];
    if (/\.py$/.test(path)) return ["python3", "-B", "-m", "unittest", "discover"];
  }
  return undefined;
}

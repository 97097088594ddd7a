import { assert } from "../../base/index.ts";
import { runSealed } from "../../run/proof/index.ts";
import { Limits } from "../../schema/execution.ts";
import type { WorkReport } from "../../schema/work.ts";
import { testCounts } from "../../verify/observed/index.ts";
import { shownProofs } from "../../view/index.ts";
import type { DoneFacts } from "../../vote/index.ts";
import { readConfig } from "../workflow-config.ts";
import type { OpenSession } from "./open-session.ts";

const COVERAGE_SECONDS = 600;
/** Files that say which packages a project uses. */
const PACKAGES =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|requirements[^/]*\.txt|poetry\.lock|Pipfile(?:\.lock)?|pyproject\.toml|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** What could be measured of the work; what could not is left out, and counts as not done. */
export interface Measured {
  readonly facts: DoneFacts;
  readonly lcov: string | undefined;
}

/** Works the facts of the definition of done out: from the record, and by looking and running again. */
export async function measureDone(on: OpenSession, report: WorkReport): Promise<Measured> {
  const { tests, lcov } = await measureTests(on, report);
  const { before, after } = rangeOf(report);
  const changed = await changedPaths(on, before, after);
  const proofs = report.gates.find(({ gate }) => gate === "proofs");
  return {
    lcov,
    facts: {
      spec: {
        summary: `${report.task}: ${shownProofs(report).length} checks of ${report.subtasks.length} subtasks`,
        unmet: report.subtasks.flatMap(({ id, status, unproven }) =>
          status === "proven" ? [] : [`${id}: ${unproven.join("; ")}`],
        ),
      },
      ...(tests === undefined ? {} : { tests }),
      // An agent does not write the same bytes twice; what can be made again is every proof.
      ...(proofs?.verdict === "pass"
        ? {
            reproducibility: {
              isSame: false,
              why: "agents write other bytes each time; every proof was made a second time, on the whole, and came to the same",
            },
          }
        : {}),
      budgets: budgetsOf(report),
      // Whoever adds a package adds its licence, and nobody has looked at that here.
      ...(changed.some((path) => PACKAGES.test(path)) ? {} : { licences: { refused: [] } }),
      docs: { missing: await staleDocuments(on) },
    },
  };
}

function rangeOf({ start, commit }: WorkReport) {
  assert(commit !== undefined, "only a work with a commit is proposed");
  return { before: start, after: commit };
}

async function changedPaths({ scene }: OpenSession, before: string, after: string) {
  const paths: string[] = [];
  const { repository } = scene.runner.scene;
  for await (const { path } of repository.changedFiles(before, after)) paths.push(path);
  return paths;
}

function budgetsOf({ subtasks }: WorkReport): NonNullable<DoneFacts["budgets"]> {
  const tries = subtasks.reduce((sum, one) => sum + one.tries.length, 0);
  return { overrun: [], measured: [`${tries} tries for ${subtasks.length} subtasks`] };
}

/** The tests once more, with what they reach, where the project says how that is measured. */
async function measureTests(
  on: OpenSession,
  report: WorkReport,
): Promise<{ readonly tests: DoneFacts["tests"]; readonly lcov: string | undefined }> {
  const { repository, engine, environment, env } = on.scene.runner.scene;
  const { coverage } = readConfig(repository.root).work ?? {};
  const named = shownProofs(report).filter(({ proof }) => proof.kind === "test");
  const passed = named.filter(({ verdict }) => verdict === "pass").length;
  const counted = named.length === 0 ? undefined : { passed, failed: named.length - passed };
  if (coverage === undefined) return { tests: counted, lcov: undefined };
  const { before: base, after: commit } = rangeOf(report);
  on.say("done", `measures coverage: ${coverage.argv.join(" ")}`);
  const limits = Limits.parse({ step_seconds: COVERAGE_SECONDS, job_seconds: COVERAGE_SECONDS });
  const { signal } = on.scene;
  const scene = { repository, engine, root: environment.root, env, limits, signal };
  const end = await runSealed({ argv: coverage.argv, commit, base }, scene);
  const all = testCounts(`${end.stdout}\n${end.stderr}`) ?? counted;
  if (end.code !== 0 || all === undefined) {
    return { tests: { passed: 0, failed: 1, coverageMin: coverage.min }, lcov: undefined };
  }
  const { passed: well = 0, failed = 0 } = all;
  return { tests: { passed: well, failed, coverageMin: coverage.min }, lcov: end.stdout };
}

/** What the reviewer of documents finds wrong in the change. */
async function staleDocuments(on: OpenSession): Promise<string[]> {
  const { findings } = await on.reviewed();
  return findings
    .filter(({ by }) => by === "document")
    .map(({ finding: { citations, title } }) => {
      const [cited] = citations;
      return `${cited?.file}:${cited?.line}: ${title}`;
    });
}

import { assert } from "../../base/index.ts";
import { runSealed } from "../../run/proof/index.ts";
import { Limits } from "../../schema/execution.ts";
import type { WorkReport } from "../../schema/work.ts";
import { testCounts } from "../../verify/observed/index.ts";
import type { DoneFacts } from "../../vote/index.ts";
import { findingLine } from "../agent/built-in-report.ts";
import {
  COVERAGE_FILES,
  coverageReport,
  NO_COVERAGE_REPORT,
} from "../vote/measure/coverage-report.ts";
import { isUndocumented, UNDOCUMENTED } from "../vote/measure/docs-facts.ts";
import { licenceFacts } from "../vote/measure/licence-facts.ts";
import { together } from "../vote/measure/measure-change.ts";
import { workFacts } from "../vote/work-facts.ts";
import { readConfig } from "../workflow-config.ts";
import type { OpenSession } from "./open-session.ts";

const COVERAGE_SECONDS = 600;

/** What could be measured of the work; what could not is left out, and counts as not done. */
export interface Measured {
  readonly facts: DoneFacts;
  readonly lcov: string | undefined;
}

/** Works the facts of the definition of done out: from the record, and by looking and running again. */
export async function measureDone(on: OpenSession, report: WorkReport): Promise<Measured> {
  const { facts: tests, lcov } = await measureTests(on, report);
  const { before, after } = rangeOf(report);
  const changed = await changedPaths(on, before, after);
  const { repository } = on.scene.runner.scene;
  const { runs } = readConfig(repository.root);
  const licences = await licenceFacts(repository, { commit: after, changed }, runs?.licences);
  return {
    lcov,
    facts: together([
      workFacts(report),
      tests,
      licences,
      isUndocumented(changed)
        ? { unknown: { docs: UNDOCUMENTED } }
        : { docs: { missing: await staleDocuments(on) } },
    ]),
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

/** The tests once more, with what they reach, where the project says how that is measured. */
async function measureTests(on: OpenSession, report: WorkReport): Promise<Measured> {
  const { repository, engine, environment, env } = on.scene.runner.scene;
  const { coverage } = readConfig(repository.root).work ?? {};
  const { tests: counted } = workFacts(report);
  if (coverage === undefined) return { facts: {}, lcov: undefined };
  const { before: base, after: commit } = rangeOf(report);
  on.say("done", `measures coverage: ${coverage.argv.join(" ")}`);
  const limits = Limits.parse({ step_seconds: COVERAGE_SECONDS, job_seconds: COVERAGE_SECONDS });
  const { signal } = on.scene;
  const scene = { repository, engine, root: environment.root, env, limits, signal };
  const end = await runSealed({ argv: coverage.argv, commit, base, leaves: COVERAGE_FILES }, scene);
  const all = testCounts(`${end.stdout}\n${end.stderr}`) ?? counted;
  if (end.code !== 0 || all === undefined) {
    const tests = { passed: 0, failed: 1, coverageMin: coverage.min };
    return { facts: { tests }, lcov: undefined };
  }
  const { passed = 0, failed = 0 } = all;
  const lcov = coverageReport(end);
  const unknown = lcov === undefined ? { unknown: { tests: NO_COVERAGE_REPORT } } : {};
  return { facts: { tests: { passed, failed, coverageMin: coverage.min }, ...unknown }, lcov };
}

/** What the reviewer of documents finds wrong in the change. */
async function staleDocuments(on: OpenSession): Promise<string[]> {
  const { findings } = await on.reviewed();
  return findings.filter(({ by }) => by === "document").map(findingLine);
}

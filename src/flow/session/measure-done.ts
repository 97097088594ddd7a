import { assert } from "../../base/index.ts";
import type { WorkReport } from "../../schema/work.ts";
import type { DoneFacts } from "../../vote/index.ts";
import { findingLine } from "../agent/built-in-report.ts";
import { isUndocumented, UNDOCUMENTED } from "../vote/measure/docs-facts.ts";
import { licenceFacts } from "../vote/measure/licence-facts.ts";
import { together } from "../vote/measure/measure-change.ts";
import { factsOf, runTests, whyNoWitness } from "../vote/measure/measure-tests.ts";
import { workFacts } from "../vote/work-facts.ts";
import { readConfig } from "../workflow-config.ts";
import type { OpenSession } from "./open-session.ts";

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
  if (coverage === undefined) return { facts: {}, lcov: undefined };
  const { argv } = coverage;
  const change = { repository, env, signal: on.scene.signal, ...rangeOf(report) };
  const why = await whyNoWitness(argv, change);
  if (why !== undefined)
    return { facts: { tests: undefined, unknown: { tests: why } }, lcov: undefined };
  on.say("done", `measures coverage: ${argv.join(" ")}`);
  const run = await runTests(argv, change, { engine, root: environment.root });
  // What only measures prints no count; the tests that the plan names were counted.
  const counts = run.counts ?? workFacts(report).tests;
  const facts = factsOf(argv, { ...run, counts }, coverage);
  return { facts: { tests: undefined, ...facts }, lcov: run.lcov };
}

/** What the reviewer of documents finds wrong in the change. */
async function staleDocuments(on: OpenSession): Promise<string[]> {
  const { findings } = await on.reviewed();
  return findings.filter(({ by }) => by === "document").map(findingLine);
}

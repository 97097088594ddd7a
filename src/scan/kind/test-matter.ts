import { isReadable } from "../syntax/readable.ts";
import { isTestCode, isUnreadTest } from "./test-code.ts";

const RUNNER_FILE =
  /(?:^|\/)(?:package\.json|(?:vitest|vite|jest|ava|playwright|cypress|karma|wtr|web-test-runner)(?:\.\w{1,30})?\.(?:config|workspace|conf)\.(?:[cm]?[jt]s|json)|\.mocharc\.(?:json|[cm]?js)|\.nycrc(?:\.json)?|\.c8rc(?:\.json)?|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc|conftest\.py)$/;
const PIPELINE =
  /^\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)(?:\.gitlab-ci\.yml|azure-pipelines\.yml|Makefile|makefile|justfile|Jenkinsfile)$|^\.circleci\/config\.yml$/;
const SNAPSHOT =
  /\.(?:snap|ambr|snapshot|golden|expected|approved(?:\.\w{1,10})?)$|(?:^|\/)__snapshots__\//;
/** Files beside tests that these are held against, or fed with; code among them is read as code. */
const FIXTURE =
  /(?:^|\/)(?:__fixtures__|testdata|test-data|test_data|goldens?)\/|(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/(?:[^/]+\/){0,10}(?:fixtures?|expected|data|snapshots?)\//i;

/** Whether a file decides which tests run, by its name. */
export function isRunnerFile(path: string): boolean {
  return RUNNER_FILE.test(path);
}

/** Whether a file decides when tests run and whether that counts, by its name. */
export function isPipeline(path: string): boolean {
  return PIPELINE.test(path);
}

/** Whether a file holds results that tests are compared with, by its name. */
export function isSnapshot(path: string): boolean {
  return SNAPSHOT.test(path);
}

/** Whether a file that is no code lies where tests keep what they expect or are fed with. */
export function isFixture(path: string): boolean {
  return FIXTURE.test(path) && !isReadable(path);
}

/** Whether a file holds tests or decides which of them run, by its name. */
export function isTestMatter(path: string): boolean {
  if (isRunnerFile(path) || isPipeline(path) || isUnreadTest(path)) return true;
  return isReadable(path) && isTestCode(path);
}

/** Whether a file has to be read to judge what a change does to tests: code tells where they went. */
export function concernsTests(path: string): boolean {
  return (
    isReadable(path) ||
    isUnreadTest(path) ||
    isRunnerFile(path) ||
    isPipeline(path) ||
    isSnapshot(path) ||
    isFixture(path)
  );
}

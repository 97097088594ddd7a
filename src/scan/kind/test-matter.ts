import { isReadable } from "../syntax/readable.ts";
import { isTestCode } from "./test-code.ts";

const RUNNER_FILE =
  /(?:^|\/)(?:package\.json|(?:vitest|vite|jest|ava|playwright|cypress|karma|wtr|web-test-runner)(?:\.\w{1,30})?\.(?:config|workspace|conf)\.(?:[cm]?[jt]s|json)|\.mocharc\.(?:json|[cm]?js)|\.nycrc(?:\.json)?|\.c8rc(?:\.json)?|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc|conftest\.py)$/;
const PIPELINE =
  /^\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)(?:\.gitlab-ci\.yml|azure-pipelines\.yml|Makefile|makefile|justfile|Jenkinsfile)$|^\.circleci\/config\.yml$/;
const SNAPSHOT = /\.(?:snap|ambr|snapshot)$|(?:^|\/)__snapshots__\//;

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

/** Whether a file holds tests or decides which of them run, by its name. */
export function isTestMatter(path: string): boolean {
  return isRunnerFile(path) || isPipeline(path) || (isReadable(path) && isTestCode(path));
}

/** Whether a file has to be read to judge what a change does to tests: code tells where they went. */
export function concernsTests(path: string): boolean {
  return isReadable(path) || isRunnerFile(path) || isPipeline(path) || isSnapshot(path);
}

const FOLDER = /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|e2e|testing|fixtures)\//i;
const NAME =
  /(?:[._-](?:test|spec|e2e)\.[cm]?[jt]sx?|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py)$/i;

/** Whether a file holds tests or what tests need, by its name. */
export function isTestCode(path: string): boolean {
  return FOLDER.test(path) || NAME.test(path);
}

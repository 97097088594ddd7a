/** `PROJ-CAT-000`: project and category in capitals, three digits, and nothing that goes on. */
const ID = /(?<![A-Za-z0-9_-])[A-Z][A-Z0-9]{1,15}-[A-Z][A-Z0-9]{0,15}-[0-9]{3}(?![A-Za-z0-9_-])/g;
/** A longer line holds data; its beginning is read. */
const LINE_CHARS_MAX = 4_000;

/** The requirement ids in a line, each once, in their order. */
export function requirementIds(line: string): string[] {
  return [...new Set(line.slice(0, LINE_CHARS_MAX).match(ID) ?? [])];
}

/** Files with ids that mean nothing here: examples for tests, and what a tool put there. */
const EXAMPLES =
  /(?:^|\/)(?:__)?(?:fixtures?|testdata|test-data|snapshots?|golden|mocks?|samples?)(?:__)?\//i;

/** Whether ids in a file are somebody's example and no citation, by its path. */
export function holdsExamples(path: string): boolean {
  return EXAMPLES.test(path);
}

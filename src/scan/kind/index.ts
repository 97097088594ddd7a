export { type FileKind, fileKind } from "./file-kind.ts";
export { isGenerated, isLockfile, isMadeByText, isMarked } from "./generated.ts";
export type { Form } from "./languages.ts";
export { isMinified } from "./minified.ts";
export { SourceLines } from "./source-lines.ts";
export { inlineTests, isTestCode, isTestName, isUnreadTest } from "./test-code.ts";
export {
  concernsTests,
  isFixture,
  isPipeline,
  isRunnerFile,
  isSnapshot,
  isTestMatter,
} from "./test-matter.ts";
export { isVendored } from "./vendored.ts";

export { type AddedTests, addedTests } from "./added-tests.ts";
export { commitDeeds } from "./commit-deeds.ts";
export { type KeptFiles, keptFiles } from "./kept-files.ts";
export { type OnlyFiles, onlyFiles } from "./only-files.ts";
export { parseReport } from "./parse-report.ts";
export {
  type ParsedReport,
  type ParsedSeal,
  type Question,
  REPORT_BYTES_MAX,
  type ReportFormat,
  type ReportSection,
} from "./parsed-report.ts";
export { isManifest, type PartDeed, partDeeds } from "./part-deeds.ts";
export { type SaidWork, saidWork } from "./said-work.ts";
export { saysNoProblem } from "./sarif.ts";
export { saysNothing } from "./says-nothing.ts";
export { sentencesOf } from "./sentences.ts";
export { type UntouchedTests, untouchedTests } from "./untouched-tests.ts";

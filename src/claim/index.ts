export { parseReport } from "./parse-report.ts";
export type {
  ParsedReport,
  ParsedSeal,
  Question,
  ReportFormat,
  ReportSection,
} from "./parsed-report.ts";
export { saysNoProblem } from "./sarif.ts";
export { saysNothing } from "./says-nothing.ts";

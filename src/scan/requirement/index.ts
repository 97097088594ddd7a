export { type SubjectIds, subjectIds } from "./commit-subject.ts";
export { type Citation, type ReqLine, readCitations } from "./read-citations.ts";
export { holdsExamples, requirementIds } from "./requirement-id.ts";

import { requirementIds } from "./requirement-id.ts";

/** `feat(SHOP): SHOP-PAY-004 round once`: a kind, the project, the requirement, what was done. */
const FORM =
  /^([a-z]{2,20})\(([A-Z][A-Z0-9]{1,15})\)!?: ([A-Z][A-Z0-9]{1,15})-[A-Z0-9]{1,16}-[0-9]{3} \S/;

/** A commit's subject as far as requirements go. */
export interface SubjectIds {
  readonly ids: readonly string[];
  /** Whether it is written as it should be; one without ids has no form to keep. */
  readonly isWellFormed: boolean;
}

/** The requirements that a commit's subject names, and whether in the right way. */
export function subjectIds(subject: string): SubjectIds {
  const ids = requirementIds(subject);
  const [, , scope, project] = FORM.exec(subject) ?? [];
  return { ids, isWellFormed: ids.length === 0 || (scope !== undefined && scope === project) };
}

import { INSCRIPTION } from "./requirements/000.ts";
import { WITNESS } from "./requirements/001.ts";
import { PROTOCOL } from "./requirements/002.ts";
import { GOVERNANCE } from "./requirements/003.ts";
import { RULES } from "./requirements/004.ts";

/**
 * Where a requirement stands. A tested one is held by a test that cites its id; a superseded one
 * will not be built as asked, and the numbered decision in docs/decisions/settled-contradictions.md
 * says what holds instead.
 */
export type RequirementState = "tested" | "planned" | `superseded by decision ${string}`;

/** One thing a source document asks for, in this project's words. */
export interface Requirement {
  readonly text: string;
  readonly state: RequirementState;
}

/**
 * Everything the five source documents ask for, one sentence each, and where it stands.
 *
 * An id is the document's number and the item's number in it. Ids never change and are never used
 * again, because tests and decisions cite them.
 */
export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  ...INSCRIPTION,
  ...WITNESS,
  ...PROTOCOL,
  ...GOVERNANCE,
  ...RULES,
};

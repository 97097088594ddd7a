import type { DoneItem } from "../schema/completion.ts";

/** How much of the lines that a change touches tests reach, unless the project says otherwise. */
export const COVERAGE_PERCENT_MIN = 80;

/** What is known of finished work. What is not there is not known, and what is not known is not done. */
export interface DoneFacts {
  /** The context that the work was held against, the decisions in it, and what it does not meet. */
  readonly spec?: { readonly summary: string; readonly unmet: readonly string[] } | undefined;
  readonly tests?:
    | {
        readonly passed: number;
        readonly failed: number;
        /** Of the lines that the change touches, in percent; or that it touches none that tests could reach. */
        readonly coverage?: number | "nothing to reach" | undefined;
        /** The project's own figure. */
        readonly coverageMin?: number | undefined;
        /** Lines of the change that take code out of what is measured. */
        readonly unmeasured?: readonly string[] | undefined;
      }
    | undefined;
  /** Whether making it again gave the same, or why not; what differed, where nobody says why. */
  readonly reproducibility?:
    | { readonly isSame: boolean; readonly why?: string; readonly differs?: string }
    | undefined;
  readonly diff?:
    | {
        readonly summary: string;
        readonly why: string;
        readonly risks: readonly string[];
        readonly rollback: string;
      }
    | undefined;
  /** Budgets that were overrun, and what was measured. */
  readonly budgets?:
    | { readonly overrun: readonly string[]; readonly measured: readonly string[] }
    | undefined;
  readonly secrets?: { readonly found: readonly string[] } | undefined;
  /** Licences that are denied; why none had to be looked at, where none was. */
  readonly licences?: { readonly refused: readonly string[]; readonly why?: string } | undefined;
  readonly docs?: { readonly missing: readonly string[] } | undefined;
  /** Where all of it is recorded, what was decided, and who was told. */
  readonly traceability?:
    | {
        readonly addresses: readonly string[];
        readonly decisions: readonly string[];
        readonly told: readonly string[];
      }
    | undefined;
  /** What reviewers said and nobody has settled: challenges, red votes, yellow ones without mitigation. */
  readonly critiques?: { readonly open: readonly string[] } | undefined;
  /** Why something is not known, and what would make it known. It makes nothing done. */
  readonly unknown?: Partial<Readonly<Record<DoneItem, string>>> | undefined;
}

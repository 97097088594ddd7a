import type { WorkflowState } from "../../schema/contract.ts";

/** The ways a workflow can end. */
export type FinalStatus = Exclude<WorkflowState["status"], "active">;

/** The new state, or why there is none. */
export type StateChange =
  | { readonly kind: "changed"; readonly state: WorkflowState }
  | { readonly kind: "refused"; readonly reason: string };

/** The state file of a workflow that starts. */
export function startWorkflow(started: string, expectedFiles: readonly string[]): WorkflowState {
  return { status: "active", started, expected_files: [...expectedFiles], gaps: [] };
}

/**
 * Ends a workflow, once. The answer is no for one that has ended, and for an end that its gaps
 * contradict: `completed` has none, `completed_with_gaps` has some.
 */
export function endWorkflow(
  state: WorkflowState,
  status: FinalStatus,
  gaps: readonly string[],
): StateChange {
  if (state.status !== "active") {
    return refused(`the workflow ended as ${state.status}; it cannot become ${status}`);
  }
  const all = [...state.gaps, ...gaps];
  if (status === "completed" && all.length > 0) {
    return refused(`${all.length} gaps are known; the end is completed_with_gaps`);
  }
  if (status === "completed_with_gaps" && all.length === 0) {
    return refused("no gap is known; the end is completed");
  }
  return { kind: "changed", state: { ...state, status, gaps: all } };
}

const refused = (reason: string): StateChange => ({ kind: "refused", reason });

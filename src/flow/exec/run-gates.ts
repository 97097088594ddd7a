import type { Place } from "../place.ts";
import { readConfig } from "../workflow-config.ts";
import type { ExecRequest } from "./exec.ts";
import { budgetOf } from "./run-budget.ts";
import { deniedLicences, type RunParts } from "./run-licences.ts";

/**
 * What `sworn.yaml` has to say about a run: which of its packages it may not use, and what it may
 * cost. It is read from the user's work tree and not from the commit that the task works on.
 *
 * @throws SwornError `INPUT_INVALID` when it cannot be read: a setting that is not understood is none.
 */
export function gatesOf(
  place: Place,
  parts: RunParts & { readonly request: Pick<ExecRequest, "spendThousandths"> },
) {
  const { runs = {} } = readConfig(parts.input.root);
  return {
    deniedLicences: deniedLicences(parts, runs.licences),
    budget: budgetOf(place, parts.request.spendThousandths, runs.spend),
  };
}

import * as z from "zod";
import { AdmissionFacts } from "../../schema/admission.ts";
import { Digest } from "../../schema/index.ts";
import { Manifest } from "../../schema/manifest.ts";
import { type EndedRun, NO_EXIT, summaryOf } from "./ended-run.ts";
import type { ExecScene } from "./exec.ts";
import { type ExecOutcome, refused } from "./exec-outcome.ts";
import { json } from "./exec-record.ts";
import { HeldFile, heldFolder, holdOutput } from "./held-output.ts";

const SHOWN_MAX = 10;

/** Everything that a clearance needs later, as the record has it. */
export const WAITING_NAME = "waiting.json";
export const Waiting = z.strictObject({
  facts: AdmissionFacts,
  manifest: Manifest,
  summary: z.string().min(1),
  flagged: z.array(
    z.strictObject({ path: z.string(), sha256: Digest, rules: z.array(z.string()) }),
  ),
  held: z.array(HeldFile),
});
export type Waiting = z.infer<typeof Waiting>;

/** Ends a run whose output somebody has to look at: put aside, on record, and not handed over. */
export async function holdRun(
  scene: ExecScene,
  run: EndedRun & { readonly facts: unknown },
): Promise<ExecOutcome> {
  const { place, record, request } = scene;
  const { ran, judged, manifest } = run;
  const flagged = judged.files
    .filter(({ isFlagged }) => isFlagged)
    .map(({ path, sha256, findings }) => {
      return { path, sha256, rules: [...new Set(findings.map(({ rule }) => rule))] };
    });
  const waiting: Waiting = {
    facts: AdmissionFacts.parse(run.facts),
    manifest,
    summary: summaryOf(ran, judged.files.length),
    flagged,
    held: holdOutput(place, record.trace, run.copies),
  };
  const shown = flagged.slice(0, SHOWN_MAX).map(({ path }) => path);
  const more = flagged.length > SHOWN_MAX ? `, and ${flagged.length - SHOWN_MAX} more` : "";
  const files = `${shown.join(", ")}${more}`;
  const exit = ran.end.limit === undefined ? ran.end.code : undefined;
  const artifacts = [...run.artifacts, json(WAITING_NAME, waiting)];
  const question = `May these files go out as they are: ${files}?`;
  await record.waits(exit ?? NO_EXIT, waiting.summary, question, artifacts);
  request.onStep(`the output waits in ${heldFolder(place, record.trace)}`);
  const next = `somebody other than ${scene.facts.requester} looks at them and says "sworn clear ${record.trace} --by <name> --why <words>", with --out <folder> for the output, or --refuse`;
  const reason = `waiting for a reviewer: ${files}; ${next}`;
  return {
    ...refused(scene, { rule: "S.3", reason }),
    isWaiting: true,
    limit: ran.end.limit,
    manifest,
    manifestPath: run.manifestPath,
  };
}

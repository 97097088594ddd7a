import type { WorkProof } from "../../schema/work-proof.ts";
import type { HealthRequest } from "./fixed-sentences.ts";
import type { Violation } from "./gate-report.ts";
import type { ReadSubtask } from "./read-subtask.ts";

const SHOWN_CHARS = 80;

/** The checks in words that a proof of the file names as covered by it. */
export function coveredIn(read: ReadSubtask): ReadonlySet<string> {
  return new Set(coversOf(read).map(({ text }) => text));
}

/** A check that is written anew in one of its two places would be covered by nothing. */
export function checkCovers(read: ReadSubtask): Violation[] {
  const covers = coversOf(read);
  if (covers.length === 0) return [];
  const known = new Set([...read.worded, ...read.stated].map(({ text }) => text));
  return covers
    .filter(({ text }) => !known.has(text))
    .map(({ text, path }) => ({
      rule: "unknown-check",
      path,
      message: `no check of ${read.subtask.id} reads ${JSON.stringify(text.slice(0, SHOWN_CHARS))}: copy one of natural_language_checks word for word`,
    }));
}

/** What judges are asked: a check that reads the same needs no second one. */
export function judgedIn({ proofs = [] }: ReadSubtask): ReadonlySet<string> {
  return new Set(proofs.flatMap((one) => (one.kind === "judge" ? [one.criterion] : [])));
}

/** Whether the file has a proof that asks a service what a sentence says, whatever starts it. */
export function isAsked(request: HealthRequest, proofs: readonly WorkProof[] = []): boolean {
  const { path, status, port, body } = request;
  return proofs.some(
    (one) =>
      one.kind === "http" &&
      one.path === path &&
      one.status === status &&
      (port === undefined || one.port === port) &&
      (body === undefined || one.body === body),
  );
}

interface Covered {
  readonly text: string;
  readonly path: string;
}

function coversOf({ subtask, proofs = [], path }: ReadSubtask): Covered[] {
  const named = "test" in subtask ? placed(subtask.test?.covers, `${path}.test`) : [];
  const typed = proofs.flatMap((proof, at) =>
    proof.kind === "judge" ? [] : placed(proof.covers, `${path}.proofs[${at}]`),
  );
  return [...named, ...typed];
}

function placed(covers: readonly string[] | undefined, path: string): Covered[] {
  return (covers ?? []).map((text, at) => ({ text, path: `${path}.covers[${at}]` }));
}

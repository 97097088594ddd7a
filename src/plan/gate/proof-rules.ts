import type { WorkProof } from "../../schema/work-proof.ts";
import { emptyPattern } from "./empty-pattern.ts";
import type { Violation } from "./gate-report.ts";
import { isIdle } from "./idle-command.ts";
import type { ReadSubtask } from "./read-subtask.ts";

/** Folders that are ours: nothing that lies there is a part of the work. */
const OURS = /^\.(?:forge-staging|sworn)(?:\/|$)/i;
/** So much of a text has to be letters and figures to be anybody's in particular. */
const TOLD_MIN = 3;

/** A proof that no outcome of the work could turn red is no proof. */
export function checkProofs({ proofs = [], tests, subtask, path }: ReadSubtask): Violation[] {
  const problems = proofs.map((proof, at) => ({
    problem: emptyProof(proof) ?? whyNotTheWork(proof),
    path: `${path}.proofs[${at}]`,
  }));
  const named = "test" in subtask ? subtask.test?.command : undefined;
  const own = tests.some(({ command }) => command === named) ? named : undefined;
  const all = [...problems, { problem: own && idle(own), path: `${path}.test.command` }];
  return all.flatMap(({ problem, path: place }) =>
    problem === undefined ? [] : [{ rule: "empty-proof", path: place, message: problem } as const],
  );
}

function emptyProof(proof: WorkProof): string | undefined {
  switch (proof.kind) {
    case "command":
      return emptyCommand(proof);
    case "test":
      return proof.command && idle(proof.command);
    case "pattern":
      return emptyPattern(proof.pattern, proof.present);
    case "diff":
      return (proof.contains.match(/[\p{L}\p{N}]/gu) ?? []).length >= TOLD_MIN
        ? undefined
        : "nearly every change holds it: name a text that only the work brings";
    case "sections":
      return proof.headings.every((heading) => /[\p{L}\p{N}]/u.test(heading))
        ? undefined
        : "a heading without a letter is none: name the sections";
    default:
      return undefined;
  }
}

function whyNotTheWork(proof: WorkProof): string | undefined {
  if (!("path" in proof) || proof.path === undefined || !OURS.test(proof.path)) return undefined;
  return `${proof.path.split("/")[0]} holds copies of ours and no part of the work: name a file of the project`;
}

function emptyCommand({ argv, stdout, stderr }: WorkProof & { kind: "command" }) {
  const written = argv.slice(1).join(" ");
  const isEchoed = [stdout, stderr].every((text) => text === undefined || written.includes(text));
  return isEchoed ? idle(argv) : undefined;
}

function idle(argv: readonly string[]): string | undefined {
  if (!isIdle(argv)) return undefined;
  return `${argv.slice(0, 3).join(" ")} ends in the same way whatever was done: run what looks at the work`;
}

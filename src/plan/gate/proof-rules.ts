import type { WorkProof } from "../../schema/work-proof.ts";
import type { Violation } from "./gate-report.ts";
import type { ReadSubtask } from "./read-subtask.ts";

/** Programs that end with 0 whatever was done. */
const ALWAYS_ZERO = /^(?:\/(?:usr\/)?bin\/)?(?:true|:|echo|printf|pwd|date|sleep|exit)$/;

/** A proof that no outcome of the work could turn red is no proof. */
export function checkProofs({ proofs = [], path }: ReadSubtask): Violation[] {
  return proofs.flatMap((proof, at) => {
    const problem = emptyProof(proof);
    return problem === undefined
      ? []
      : [{ rule: "empty-proof", path: `${path}.proofs[${at}]`, message: problem } as const];
  });
}

function emptyProof(proof: WorkProof): string | undefined {
  switch (proof.kind) {
    case "command":
      return emptyCommand(proof);
    case "pattern":
      return emptyPattern(proof);
    case "diff":
      return /\S/.test(proof.contains)
        ? undefined
        : "every change holds white space: name a text that only the work brings";
    default:
      return undefined;
  }
}

function emptyCommand({ argv, exit, stdout, stderr }: WorkProof & { kind: "command" }) {
  const isIdle = ALWAYS_ZERO.test(argv[0] ?? "") && stderr === undefined;
  const isEchoed = stdout === undefined || argv.slice(1).join(" ").includes(stdout);
  if (!isIdle || exit !== 0 || !isEchoed) return undefined;
  return `${argv[0]} ends with 0 whatever was done: run what looks at the work`;
}

function emptyPattern({ pattern, present }: WorkProof & { kind: "pattern" }): string | undefined {
  const expression = toExpression(pattern);
  if (expression === undefined) return "it is no regular expression";
  // An expression that finds something in nothing finds it in every line.
  if (!expression.test("") || pattern.includes("$")) return undefined;
  return present
    ? "it is found in every line: name what only the work writes"
    : "it is found in every line, so no file is without it";
}

function toExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    // What cannot be read cannot be looked for.
    return undefined;
  }
}

import type { PullKind } from "../egress/index.ts";
import { type Limits, PULL_KINDS, WORKSPACE } from "../schema/execution.ts";

const MIB = 1 << 20;
const THOUSANDTHS = 1_000;

/** What a run will be like, as far as whoever works in it has to know. */
export interface ToldRun {
  readonly limits: Limits;
  /** What can be pulled in this run; empty when no pull phase was asked for. */
  readonly pull: readonly PullKind[];
}

/**
 * What an agent is told before it works in a sealed run. It is a courtesy and no control: everything
 * in it is enforced whether it was read or not. The values are those of the run itself.
 */
export function toldRules({ limits, pull }: ToldRun): string {
  return [
    "You work in a sealed run. What follows is enforced; nothing you do inside changes it.",
    "",
    "- Uploads are forbidden. There is no network, and a command that would send something away",
    "  (git push, scp, curl with a body, publishing a package) is refused before it begins.",
    `- The source is in ${WORKSPACE.input} and cannot be changed. ${WORKSPACE.data} is for your own use and is`,
    "  thrown away when the run ends.",
    `- Results go to ${WORKSPACE.output}, and nothing else is kept: at most ${mib(limits.output_bytes)} in`,
    `  ${limits.output_files} files, each of at most ${mib(limits.file_bytes)}. Plain files only; links are not followed.`,
    "- Leave no key, token, environment file or personal data among the results: such a run does not count.",
    ...pullLines(pull),
    `- Limits: ${mib(limits.memory_bytes)} of memory, ${limits.cpu_thousandths / THOUSANDTHS} processors, ${limits.pids} processes,`,
    `  ${limits.step_seconds} seconds for one command and ${limits.job_seconds} for all. What exceeds them is ended.`,
    "- Publishing is the runtime's work: once the results were validated and their manifest was signed,",
    "  it delivers them to a listed place. Do not look for another way out.",
    "",
  ].join("\n");
}

function pullLines(pull: readonly PullKind[]): string[] {
  const what =
    pull.length === 0
      ? "This run has none: what is missing stays missing until somebody asks for one."
      : `This run has one for: ${pull.join(", ")}.`;
  return [
    "- Packages come in through a pull phase alone, for reading, and it has to be asked for before the run",
    `  begins (--pull ${PULL_KINDS.join(", ")}). ${what}`,
  ];
}

function mib(bytes: number): string {
  return bytes < MIB ? `${bytes} bytes` : `${Math.floor(bytes / MIB)} MiB`;
}

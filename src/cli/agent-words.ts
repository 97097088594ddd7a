import { counted } from "../base/index.ts";
import { complaintIn } from "../flow/agent/complaint.ts";
import type { LoopOutcome } from "../flow/agent/restart-loop.ts";
import type { AgentOutcome } from "../flow/agent/run-agent.ts";
import type { AgentEvent } from "../schema/agent.ts";
import type { RunInfo } from "../schema/run-info.ts";
import type { Answer, CommandIo } from "./io.ts";
import { progress } from "./progress.ts";

const FILES_SHOWN = 20;
const IGNORED_SHOWN = 5;
const CHARS_MAX = 200;

/** What it said that was found not to be so, or not to be shown, in a few words; empty when nothing was. */
export function doubtWords({ said = [] }: RunInfo): string {
  const count = (...verdicts: readonly string[]) =>
    said.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const [refuted, open] = [count("HALLUCINATED", "INACCURATE"), count("UNVERIFIED")];
  const words = [
    ...(refuted === 0 ? [] : [`${counted(refuted, "claim")} refuted`]),
    ...(open === 0 ? [] : [`${counted(open, "claim")} not shown`]),
  ];
  return words.join(", ");
}

/** Draws what an agent does while it works; `end` clears the line. */
export function agentProgress(io: CommandIo, agent: string) {
  const line = progress(io, agent);
  let tools = 0;
  return {
    onStep: (words: string) => io.err(`sworn: ${words}\n`),
    onStarted: ({ run_id: id }: RunInfo) =>
      io.err(`sworn: ${agent} works as run ${id}; "sworn cancel ${id}" ends it\n`),
    onEvent: (event: AgentEvent) => {
      if (event.kind === "tool") tools += 1;
      const words = eventWords(event);
      if (words !== undefined) line.show(() => `${agent} (${counted(tools, "call")}): ${words}`);
    },
    end: () => line.end(),
  };
}

function eventWords(event: AgentEvent): string | undefined {
  if (event.kind === "tool") return oneLine(`${event.name} ${event.input ?? ""}`);
  if (event.kind === "text" || event.kind === "error") {
    return oneLine(event.kind === "text" ? event.text : event.message);
  }
  return undefined;
}

/** What an agent prints can hold anything, also what a terminal would obey. */
function oneLine(text: string): string {
  return text
    .slice(-4 * CHARS_MAX)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, CHARS_MAX);
}

/**
 * A run in words, where to find it, and what can be done with it.
 *
 * @param hasEarlier whether runs that it goes on from changed something, which is on its reference too
 */
export function outcomeWords(outcome: AgentOutcome, hasEarlier = false): string {
  const { info, saved, trace } = outcome;
  const hasWork = hasEarlier || (saved?.changed.length ?? 0) > 0;
  return [
    deedWords(outcome),
    ...(info ? [`output ${info.output_path} (written by the ${info.output_origin})`] : []),
    `trace ${trace}`,
    // What a judge changed is nobody's to take over.
    ...(info && info.role === undefined && hasWork
      ? [`Next: git diff HEAD ${info.ref}, then sworn agents take ${info.run_id}`]
      : []),
  ].join("\n");
}

/** What a failed agent complained about last, and where all of it is, if it was kept. */
function complaintWords({ info, troubles }: AgentOutcome, heard: string | undefined): string[] {
  if (info?.status !== "failed" || troubles.length > 0) return [];
  const last = oneLine(heard ?? complaintIn(info.stderr_path));
  const where = heard === undefined ? ` (${info.stderr_path})` : "";
  return last === "" ? [] : [`its last words on stderr: ${last}${where}`];
}

/**
 * How a run ended, what it changed, and how its word compares with what was seen.
 *
 * @param heard what it complained about last, where its files are gone by now
 */
export function deedWords(outcome: AgentOutcome, heard?: string): string {
  const { info, saved, said, refused, use, notes = [] } = outcome;
  if (refused !== undefined) return `refused by ${refused.rule}: ${refused.reason}`;
  const changed = saved?.changed ?? [];
  const shown = changed.slice(0, FILES_SHOWN).map(({ path, how }) => `  ${how} ${oneLine(path)}`);
  const rest = changed.length - shown.length;
  return [
    `${info?.agent} ${info?.status}${info?.error_summary ? ` (${oneLine(info.error_summary)})` : ""}`,
    ...complaintWords(outcome, heard),
    `changed ${counted(changed.length, "file")}, on ${info?.ref}`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...ignoredWords(saved?.ignored ?? []),
    ...said.map(({ claim, verdict, reason }) => `${verdict}: "${oneLine(claim.text)}" (${reason})`),
    ...notes.map(oneLine),
    ...(use === undefined || use.turns === 0 ? [] : [useWords(use)]),
  ].join("\n");
}

/** What is gone with the run's tree: nobody should learn that later. */
function ignoredWords(ignored: readonly string[]): string[] {
  if (ignored.length === 0) return [];
  const shown = ignored.slice(0, IGNORED_SHOWN).map(oneLine).join(", ");
  const rest = ignored.length - IGNORED_SHOWN;
  return [`not kept, because git ignores it: ${shown}${rest > 0 ? ` and ${rest} more` : ""}`];
}

function useWords({
  turns,
  inputTokens,
  outputTokens,
  microUsd,
}: NonNullable<AgentOutcome["use"]>) {
  const money = microUsd === undefined ? "" : `, ${(microUsd / 1e6).toFixed(4)} dollars`;
  const tokens =
    inputTokens + outputTokens === 0
      ? "it tells of no tokens"
      : `${inputTokens} tokens in and ${outputTokens} out as it says`;
  return `${counted(turns, "turn")}, ${tokens}${money}`;
}

/** What the runs before the last one of a chain did and said: only the last one is shown whole. */
export function earlierWords(earlier: readonly AgentOutcome[]): string[] {
  const paths = new Set(earlier.flatMap(({ saved }) => saved?.changed.map(({ path }) => path)));
  const shown = [...paths].slice(0, FILES_SHOWN).map((path) => oneLine(path ?? ""));
  const rest = paths.size - shown.length;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const refuted = earlier.flatMap(({ info, said }) =>
    said.some(({ verdict }) => verdict === "HALLUCINATED") ? [info?.run_id] : [],
  );
  return [
    ...(paths.size === 0 ? [] : [`the runs before it changed ${shown.join(", ")}${more}`]),
    ...refuted.map((id) => `run ${id} said what is not so: sworn agents show ${id}`),
  ];
}

/** A run as a document. */
export function outcomeJson(outcome: AgentOutcome) {
  const { info, saved, said, refused, use, trace, isDone, notes = [] } = outcome;
  return {
    trace,
    ...(refused === undefined ? {} : { refused }),
    run: info ?? null,
    changed: saved?.changed ?? [],
    ignored: saved?.ignored ?? [],
    said: said.map(({ claim, verdict, reason }) => ({ claim, verdict, reason })),
    notes,
    use: use ?? null,
    done: isDone,
  };
}

/** The exit code that a chain of runs comes to: one that was to be done, and never said so, is not. */
export function chainExit({ end, last }: LoopOutcome, roundsMax: number): Answer["exit"] {
  const isUndone = roundsMax > 1 && (end === "rounds" || end === "stagnation");
  return exitOf(last) === 0 && isUndone ? 1 : exitOf(last);
}

/** The exit code that a run's outcome comes to. */
export function exitOf({ refused, info, said, troubles }: AgentOutcome): Answer["exit"] {
  if (refused !== undefined) return 3;
  if (info?.status !== "completed" || troubles.length > 0) return 1;
  return said.some(({ verdict }) => verdict === "HALLUCINATED") ? 4 : 0;
}

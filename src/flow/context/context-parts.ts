import { type ErrorCode, messageOf, SwornError } from "../../base/index.ts";
import { SCHEME } from "../../schema/address.ts";
import { PROJECT_TASK } from "../address/task-traces.ts";
import { quotedAt } from "./address-part.ts";
import {
  CONTEXT_PARTS,
  type ContextPart,
  type ContextScope,
  type ContextSource,
} from "./context.ts";
import { contextBlock } from "./context-block.ts";
import { diffOf, isNoRepository } from "./diff-part.ts";
import { planOf } from "./plan-part.ts";
import type { RecordRead } from "./read-record.ts";
import { stateOnBus } from "./recorded-statements.ts";

/** Failures that are an answer to whoever asked for an address. */
const TOLD: readonly ErrorCode[] = ["NOT_FOUND", "INPUT_INVALID", "LIMIT_EXCEEDED"];
/** What a part is made from. */
export interface Asked {
  readonly source: ContextSource;
  readonly record: RecordRead;
  readonly scope: ContextScope;
}

/** One part of a context; one that does not exist says which there are. */
export async function partOf(name: string, asked: Asked): Promise<ContextPart> {
  switch (name) {
    case "summary":
      return summaryOf(asked);
    case "decisions":
      return statementsOf(name, "decision", asked);
    case "facts":
      return statementsOf(name, "fact", asked);
    case "plan":
      return planPart(asked);
    case "diff":
      return diffPart(asked);
    default: {
      if (name.startsWith(SCHEME)) return addressPart(name, asked);
      const known = CONTEXT_PARTS.join(", ");
      const notes = [`Not available: there is no such part here; there are ${known}.`];
      return { name, blocks: [], notes, isMissing: true };
    }
  }
}

/** A summary is brief in any case: how the task stands, and what is known by title. */
function summaryOf({ source: { taskBus }, record }: Asked): ContextPart {
  const where = { project: record.project, task: taskBus?.task ?? PROJECT_TASK };
  const state = taskBus === undefined ? [] : stateOnBus(taskBus, where);
  const facts = record.statements.filter(({ stated }) => stated.kind === "fact");
  const blocks = [...state, ...facts.map(({ quotable }) => quotable)].map((one) =>
    contextBlock(one, "brief"),
  );
  return { name: "summary", blocks, notes: record.notes };
}

function statementsOf(
  name: string,
  kind: "fact" | "decision",
  { record, scope }: Asked,
): ContextPart {
  const blocks = record.statements
    .filter(({ stated }) => stated.kind === kind)
    .map(({ quotable }) => contextBlock(quotable, scope));
  return { name, blocks, notes: record.notes };
}

function planPart({ source: { place }, record, scope }: Asked): ContextPart {
  const plan = planOf(place, record.sessions, record.project);
  const blocks = plan === undefined ? [] : [contextBlock(plan, scope)];
  return { name: "plan", blocks, notes: record.notes };
}

async function diffPart({ source, record, scope }: Asked): Promise<ContextPart> {
  const name = "diff";
  if (source.files === undefined) return { name, blocks: [], notes: ["No files are looked at."] };
  try {
    const where = { project: record.project, task: source.task ?? "any" };
    const { between, files, more } = await diffOf(source.files, where, scope);
    const left = more === 0 ? [] : [`${more} more files are changed.`];
    const blocks = files.map((file) => contextBlock(file, scope));
    return { name, blocks, notes: [`From ${between}.`, ...left] };
  } catch (error) {
    if (!isNoRepository(error)) throw error;
    return { name, blocks: [], notes: [`Not available: ${messageOf(error)}.`] };
  }
}

/** An address is a selector too: what it names is shown, or why not. */
async function addressPart(name: string, { source, record, scope }: Asked): Promise<ContextPart> {
  const { place, files, isOwnOnly = false } = source;
  const traces = isOwnOnly ? record.traces : undefined;
  try {
    const found = await quotedAt(name, { place, files, traces });
    return { name, blocks: found.map((one) => contextBlock(one, scope)), notes: [] };
  } catch (error) {
    if (!(error instanceof SwornError) || !TOLD.includes(error.code)) throw error;
    return { name, blocks: [], notes: [`Not available: ${error.message}.`], isMissing: true };
  }
}

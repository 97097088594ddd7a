import type { Context, ContextPart, ContextScope, ContextSource } from "./context.ts";
import { contextBlock } from "./context-block.ts";
import { partOf } from "./context-parts.ts";
import { type Conflict, findConflicts } from "./find-conflicts.ts";
import { readRecord } from "./read-record.ts";
import type { Statement } from "./recorded-statements.ts";

/** All texts of one context together. */
const CONTEXT_CHARS_MAX = 1_000_000;

/**
 * Collects a project's own context: the project's before the task's, word for word, with what
 * contradicts itself told first. What is restricted is withheld, and said to be.
 */
export async function collectContext(
  source: ContextSource,
  selectors: readonly string[],
  scope: ContextScope,
): Promise<Context> {
  const record = readRecord(source);
  const parts: ContextPart[] = [];
  for (const name of new Set(selectors)) parts.push(await partOf(name, { source, record, scope }));
  const bounded = withinBudget(parts);
  return {
    ...{ project: record.project, task: source.task ?? null, scope },
    conflicts: conflictsIn(record.statements),
    parts: bounded,
    withheld: bounded.flatMap(({ blocks }) => blocks).filter(({ text }) => text === null).length,
  };
}

/** The subject of something that is withheld is withheld with it. */
function conflictsIn(statements: readonly Statement[]): Conflict[] {
  const quotables = new Map(statements.map(({ quotable }) => [quotable.address, quotable]));
  const isWithheld = (address: string) => {
    const one = quotables.get(address);
    return one !== undefined && contextBlock(one, "brief").text === null;
  };
  return findConflicts(statements.map(({ stated }) => stated)).map((conflict) =>
    conflict.between.some(isWithheld) ? { ...conflict, about: "withheld" } : conflict,
  );
}

/** Later texts are left out, with their address in place, once all together are too long. */
function withinBudget(parts: readonly ContextPart[]): ContextPart[] {
  let left = CONTEXT_CHARS_MAX;
  return parts.map((part) => ({
    ...part,
    blocks: part.blocks.map((block) => {
      left -= block.text?.length ?? 0;
      return left >= 0 || block.text === null ? block : { ...block, text: "", isCut: true };
    }),
  }));
}

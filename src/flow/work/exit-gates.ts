import type { Repository } from "../../repo/index.ts";
import type { Plan } from "../../schema/plan.ts";
import type { GateVerdict } from "../../schema/work.ts";
import { type AddedText, addedTexts } from "../change/added-texts.ts";
import { cut } from "../record/entry-text.ts";
import type { Seen } from "./work-parts.ts";
import type { RunningWork } from "./work-scene.ts";

/** In parts, because our own sources are searched for such words too. */
const DEBT = new RegExp(`\\b(?:TODO|FIX${"ME"}|HACK)\\b`);
const DEBTS_MAX = 100;
const LINE_CHARS_MAX = 300;
const GHOST_CHARS_MIN = 4;

/** Those of the exit gates that somebody else stands at. */
export interface ExitGates {
  /** Sees the diff and the criteria, and nothing else; rejects unless it is convinced. */
  readonly review: (seen: Seen) => Promise<Omit<GateVerdict, "gate">>;
  /** Runs all tests of the project. */
  readonly tests: (seen: Seen) => Promise<Omit<GateVerdict, "gate">>;
}

/** What the authors themselves say is wrong with their work, against what the plan admits. */
export function selfGate({ state, profile }: RunningWork): GateVerdict {
  const ghosts = ghostsOf(state.plan);
  const said = state.subtasks.flatMap((subtask) => {
    const { work } = subtask.proven ?? subtask.last ?? {};
    return work === undefined ? [] : [{ id: subtask.id, ...work }];
  });
  const open = said.flatMap(({ id, flaws = [] }) =>
    flaws.filter((flaw) => !isTagged(flaw, ghosts)).map((flaw) => `${id}: ${flaw}`),
  );
  const silent = said
    .filter(({ is_asked, flaws }) => is_asked && flaws === undefined)
    .map(({ id }) => `the worker of ${id} did not say what is wrong with its own work`);
  const verdict = open.length === 0 && silent.length === 0 ? "pass" : "unproven";
  return {
    gate: "self",
    by: "the workers",
    // Somebody who works alone knows the flaws by now; others would not.
    verdict: open.length > 0 && profile !== "solo" ? "fail" : verdict,
    reasons: [...open, ...silent],
  };
}

/** All tests pass, every debt that the work leaves is a ghost node of the plan, and every text was read for them. */
export async function mechanicalGate(work: RunningWork, seen: Seen): Promise<GateVerdict> {
  const tests = await work.gates.tests(seen);
  const { untagged, unread } = await debtsIn(work.repository, seen);
  const verdict = tests.verdict === "pass" && unread.length > 0 ? "unproven" : tests.verdict;
  return {
    gate: "mechanical",
    by: tests.by,
    verdict: untagged.length > 0 ? "fail" : verdict,
    reasons: [...tests.reasons, ...untagged, ...unread],
  };
}

function ghostsOf({ subtasks }: Plan): string[] {
  return subtasks.flatMap(({ ghost_nodes }) => ghost_nodes);
}

/** Whether the plan names it: a ghost node is the debt's own words, or stands in them word for word. */
function isTagged(text: string, ghosts: readonly string[]): boolean {
  const words = ` ${plainWords(text)} `;
  return ghosts.some((ghost) => {
    const named = plainWords(ghost);
    // A letter or two stand in any text, and would excuse every debt there is.
    return named.length >= GHOST_CHARS_MIN && words.includes(` ${named} `);
  });
}

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** What the plan does not admit, and what could not be searched for it, each in words. */
interface Debts {
  readonly untagged: string[];
  readonly unread: string[];
}

async function debtsIn(repository: Repository, { before, after, plan }: Seen): Promise<Debts> {
  const untagged: string[] = [];
  const unread: string[] = [];
  const ghosts = ghostsOf(plan);
  for await (const added of addedTexts(repository, before, after)) {
    untagged.push(...untaggedIn(added, ghosts));
    if (added.unread !== undefined) unread.push(unreadWords(added.path, added.unread));
    // One is a no; as many as anybody reads are enough.
    if (untagged.length >= DEBTS_MAX) break;
  }
  return { untagged: untagged.slice(0, DEBTS_MAX), unread: unread.slice(0, DEBTS_MAX) };
}

function untaggedIn({ path, lines }: AddedText, ghosts: readonly string[]): string[] {
  return lines
    .filter(({ text }) => DEBT.test(text) && !isTagged(text, ghosts))
    .slice(0, DEBTS_MAX)
    .map(({ line, text }) => debtWords(`${path}:${line}`, text));
}

function debtWords(place: string, text: string): string {
  const shown = cut(text.trim(), LINE_CHARS_MAX);
  return `${place} leaves a debt that the plan does not list under ghost_nodes: ${shown}`;
}

function unreadWords(path: string, state: string): string {
  return `${path} could not be read (${state}): whether it leaves a debt was not looked at`;
}

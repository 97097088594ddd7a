import { counted, SwornError, sha256Hex, ulid } from "../../base/index.ts";
import {
  type AddedLines,
  type ChangedFile,
  type Environment,
  Repository,
} from "../../repo/index.ts";
import { AGENT_TREE } from "../../run/index.ts";
import { redact } from "../../scan/classify/index.ts";
import type { DoneItem } from "../../schema/completion.ts";
import type { RiskClass } from "../../schema/index.ts";
import type { Refusal, Session } from "../../view/index.ts";
import {
  type CompletionRequest,
  type DoneFacts,
  diffCoverage,
  isCovered,
  isUnmeasured,
  type Kin,
} from "../../vote/index.ts";
import { addedTexts } from "../change/added-texts.ts";
import type { Place } from "../place.ts";
import { OPERATOR, RUNTIME } from "../talk/bus.ts";
import { readTrace, sessionOf } from "../trace/look.ts";
import { openForReading } from "../trace/reading.ts";
import { modelFamily } from "./model-family.ts";
import { type Proposed, proposeCompletion } from "./propose-completion.ts";

const PATCH_BYTES_MAX = 16 << 20;
const FILES_NAMED_MAX = 20;
const UNMEASURED_MAX = 100;
const NONE_MEASURED =
  "the report of work.coverage has no changed line: none holds code, or what does was left out";
const MAKERS: readonly string[] = ["executor", "planner"];

/** A commit that is proposed as complete, and what is known of it beyond what can be looked up. */
export interface CommitRequest {
  readonly place: Place;
  readonly trace: string;
  /** A folder in the repository. */
  readonly repository: string;
  /** The same, where the caller has it open. */
  readonly open?: Repository | undefined;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly commit: string;
  readonly base?: string | undefined;
  readonly scope: readonly string[];
  readonly why: string;
  readonly risks: readonly string[];
  readonly riskClass?: RiskClass | undefined;
  readonly rollback: string;
  readonly deferred?: ReadonlyMap<DoneItem, string> | undefined;
  /** So many beats after this one the votes are needed by. */
  readonly dueBeats?: number | undefined;
  /** What other parts of the runtime measured: tests, budgets, licences. */
  readonly facts?: DoneFacts | undefined;
  /** The lcov report of the run that gave the facts about tests; only changed lines of it count. */
  readonly lcov?: string | undefined;
  /** Who made it, where the caller knows; otherwise whoever ran for this trace. */
  readonly authors?: readonly Kin[] | undefined;
  /** What else the document says. */
  readonly said?: Pick<CompletionRequest, "specLinks" | "docs" | "outputs"> | undefined;
}

/**
 * Proposes a commit as complete, in the runtime's name and from what it can see itself: the change,
 * secrets in it, open critiques. What nobody measured stays unknown. A completion of this trace
 * that is still open is revised by it, which makes the votes on that one stale.
 */
export async function proposeCommit(request: CommitRequest): Promise<Proposed | Refusal> {
  const { place, trace } = request;
  const seen = await lookAt(request);
  const { session } = sessionOf(place, trace);
  const authors = request.authors ?? authorsIn(session, place, trace);
  const revises = [...session.completions].findLast(([, { revisedBy }]) => !revisedBy)?.[0];
  return proposeCompletion(place, trace, RUNTIME, {
    completionId: `k-${ulid(place.clock()).toLowerCase()}`,
    artifact: `git:${seen.commit}`,
    subject: seen.subject,
    scope: request.scope.length > 0 ? request.scope : seen.files,
    build: seen.commit,
    authors,
    riskClass: request.riskClass,
    deferred: request.deferred,
    revises,
    dueBeats: request.dueBeats,
    lineage: `from ${seen.base}`,
    ...request.said,
    facts: {
      diff: {
        summary: seen.summary,
        why: request.why,
        risks: request.risks,
        rollback: request.rollback,
      },
      secrets: seen.secrets,
      critiques: { open: critiquesIn(session) },
      traceability: {
        addresses: [`sha256:${headOf(place, trace)}`],
        decisions: [...session.decisions.keys()].slice(-1_000),
        told: [OPERATOR.agent],
      },
      ...request.facts,
      ...testsIn(request, seen),
    },
  });
}

/** What was measured of the change itself counts before what somebody says of it. */
function testsIn(
  { facts, lcov }: CommitRequest,
  { changed, unmeasured, scripts }: Awaited<ReturnType<typeof lookAt>>,
): Pick<DoneFacts, "tests" | "unknown"> {
  const { tests, unknown } = facts ?? {};
  if (tests === undefined) return { tests, unknown };
  const lines = changed
    .filter(({ path, status }) => status !== "deleted" && (isCovered(path) || scripts.has(path)))
    .map(({ path, ranges }) => [path, new Set(ranges.flatMap(numbersOf))] as const)
    .filter(([, numbers]) => numbers.size > 0);
  // A change of documents or tests alone.
  if (lines.length === 0) return { tests: { ...tests, coverage: "nothing to reach" }, unknown };
  if (lcov === undefined) return { tests, unknown };
  const coverage = diffCoverage(lcov, new Map(lines), AGENT_TREE).percent;
  return {
    tests: { ...tests, coverage, unmeasured },
    unknown: coverage === undefined ? { ...unknown, tests: NONE_MEASURED } : unknown,
  };
}

function numbersOf({ from, to }: AddedLines): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** The hash of the last entry by now, which stands for all before it. */
function headOf(place: Place, trace: string): string {
  const ledger = openForReading(place, trace);
  try {
    return ledger.head.hash;
  } finally {
    ledger.close();
  }
}

type Change = Pick<CommitRequest, "repository" | "open" | "env" | "signal" | "commit" | "base">;

/** The two commits that a proposal is about. @throws SwornError when there is no such commit. */
export async function findChange(asked: Change): Promise<{ base: string; head: string }> {
  const { repository: folder, env, signal } = asked;
  const repository = await Repository.open(folder, { env, signal });
  try {
    return await rangeOf(repository, asked);
  } finally {
    repository.close();
  }
}

async function rangeOf(
  repository: Repository,
  { commit, base }: Pick<Change, "commit" | "base">,
): Promise<{ base: string; head: string }> {
  const head = await repository.resolveCommit(commit);
  const from = base ?? (await repository.findBase(head)).commit;
  if (from === null) {
    throw new SwornError(
      "INPUT_INVALID",
      `nothing says what ${head} is compared with: give --base`,
    );
  }
  return { base: await repository.resolveCommit(from), head };
}

/** What the change is, from the repository's own objects. */
async function lookAt(asked: Change) {
  const { repository: folder, open, env, signal } = asked;
  const repository = open ?? (await Repository.open(folder, { env, signal }));
  try {
    const { head, base: start } = await rangeOf(repository, asked);
    const { tree } = await repository.commitFacts(head);
    const changed: ChangedFile[] = [];
    for await (const file of repository.changedFiles(start, head)) changed.push(file);
    if (changed.length === 0) {
      throw new SwornError("INPUT_INVALID", `nothing differs between ${start} and ${head}`);
    }
    // To delete a file with a secret is no reason against a change.
    const how = { isDeletedShown: false };
    const { unmeasured, scripts } = await codeIn(repository, start, head);
    const patch = await repository.patchText(start, head, PATCH_BYTES_MAX, how);
    return {
      commit: head,
      base: start,
      ...{ changed, unmeasured, scripts },
      // The tree and not the commit: another message for the same files takes no red vote away.
      subject: sha256Hex(`git tree ${tree}`),
      files: changed.slice(0, FILES_NAMED_MAX).map(({ path }) => path),
      summary: summaryOf(changed),
      // A patch too long to be looked through was not looked through.
      secrets: patch === undefined ? undefined : { found: secretsIn(patch) },
    };
  } finally {
    if (open === undefined) repository.close();
  }
}

/**
 * Files of the change that only how they begin shows to be code, and lines that take code out of what is
 * measured; what nobody could read may hold some.
 */
async function codeIn(
  repository: Repository,
  before: string,
  after: string,
): Promise<{ readonly unmeasured: readonly string[]; readonly scripts: ReadonlySet<string> }> {
  const found: string[] = [];
  const scripts = new Set<string>();
  for await (const { path, start, lines, unread } of addedTexts(repository, before, after)) {
    if (!isCovered(path, start)) continue;
    scripts.add(path);
    if (found.length >= UNMEASURED_MAX) continue;
    if (unread !== undefined) found.push(`${path}, which could not be read (${unread})`);
    for (const { line, text } of lines) if (isUnmeasured(text)) found.push(`${path}:${line}`);
  }
  return { unmeasured: found.slice(0, UNMEASURED_MAX), scripts };
}

function secretsIn(patch: string): string[] {
  return [...new Set(redact(patch).redacted.map(({ rule }) => rule))];
}

function summaryOf(changed: readonly ChangedFile[]): string {
  const sum = (part: "added" | "deleted") => changed.reduce((total, file) => total + file[part], 0);
  const named = changed.slice(0, FILES_NAMED_MAX).map(({ path }) => path);
  const more = changed.length - named.length;
  return `${counted(changed.length, "file")}, +${sum("added")} -${sum("deleted")}: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Whoever made anything in this trace, or ran in it to make something; else the person who asks. */
export function authorsIn({ agents, authors }: Session, place: Place, trace: string): Kin[] {
  const makers = new Map<string, string | undefined>();
  for (const agent of authors) makers.set(agent, undefined);
  let task = "";
  for (const { type, body } of readTrace(place, trace)) {
    if (type === "session_initialized") task = body.task;
    if (type !== "run_started") continue;
    const { agent, run_id } = body;
    if (!agents.get(agent)?.roles.some((role) => MAKERS.includes(role))) continue;
    makers.set(agent, modelFamily(place, task, run_id) ?? makers.get(agent));
  }
  if (makers.size === 0) makers.set(OPERATOR.agent, undefined);
  return [...makers].map(([agent, family]) => ({ agent, family }));
}

/** Red votes are not among them: those stand against the subject until their voters look again. */
function critiquesIn({ tally }: Session): string[] {
  return [
    ...[...tally.openChallenges].map((id) => `challenge ${id}`),
    ...[...tally.refuted].map((id) => `claim ${id} holds what is not in the source`),
  ];
}

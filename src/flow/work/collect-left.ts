import { sha256Hex } from "../../base/index.ts";
import type { CommitMaker, RawChange, Repository } from "../../repo/index.ts";
import { redact } from "../../scan/classify/index.ts";
import type { PlanSubtask } from "../../schema/plan.ts";
import type { Sentinel, TryWork } from "../../schema/work.ts";
import { cut } from "../record/entry-text.ts";
import { fieldsOf, outputValue } from "./output-value.ts";
import { NO_OUTPUT, SENTINEL_NAME, whyWrong } from "./sentinel.ts";
import { STAGING_ROOT, type StagedFile, type Staging } from "./staging.ts";
import type { WorkLeft, WorkOrder } from "./work-parts.ts";

const FILES_MAX = 200;
const CHANGED_RECORDED_MAX = 10_000;
const FILE_BYTES_MAX = 1 << 20;
const STAGED_BYTES_MAX = 8 << 20;
const PATH_CHARS_MAX = 500;
const PLAIN_MODES = ["100644", "100755"];
const GONE = "000000";

/** What was taken from a worker's tree, and the change that is left of it. */
export interface Collected {
  readonly work: Omit<TryWork, "is_asked" | "flaws">;
  /** All files that it changed; the record has the first of them. */
  readonly changed: readonly string[];
  readonly files: readonly StagedFile[];
  readonly output: StagedFile | undefined;
  /** Why this is no delivery. */
  readonly missing: readonly string[];
}

/** Files for a subtask whose worker wrote none but answered in prose. */
export type Extract = (words: string, staging: Staging) => Promise<StagedFile | undefined>;

interface Collecting {
  readonly repository: Repository;
  readonly maker: CommitMaker;
  readonly extract?: Extract | undefined;
}

/**
 * Takes a worker's tree apart: the change, without anything that lies under a staging folder, and
 * what it staged, by content and within bounds. Read from git's objects, where a link is a few bytes
 * and leads nowhere.
 */
export async function collectLeft(
  order: WorkOrder,
  left: WorkLeft,
  staging: Staging,
  { repository, maker, extract }: Collecting,
): Promise<Collected> {
  const { subtask, at } = order;
  const all = left.commit === at ? [] : await repository.rawChanges(at, left.commit);
  const isStaged = ({ path }: RawChange) =>
    path === STAGING_ROOT || path.startsWith(`${STAGING_ROOT}/`);
  const changes = all.filter((one) => !isStaged(one));
  const staged = all.filter(isStaged);
  const commit =
    staged.length === 0
      ? left.commit
      : changes.length === 0
        ? at
        : await maker.withChanges(at, changes, `${subtask.id}: ${subtask.name}`);
  const paths = changes.map(({ path }) => path.toWellFormed());
  const { files, notes } = await readStaged(staged, staging, repository);
  const own = files.find(({ path }) => path === staging.output);
  const extracted = own === undefined ? await extract?.(left.words, staging) : undefined;
  const output = own ?? extracted;
  // Also a folder of that name would stand where the runner's own sentinel belongs.
  const delivered = files.filter(({ path }) => path.split("/")[0] !== SENTINEL_NAME);
  const expected = {
    run: left.run,
    contract_digest: order.contract,
    output_digest: output === undefined ? NO_OUTPUT : sha256Hex(output.bytes),
  };
  const work: Collected["work"] = {
    subtask: subtask.id,
    run: left.run,
    status: left.status,
    ...(left.why === undefined ? {} : { why: withoutSecrets(left.why) }),
    at,
    commit,
    changed: paths.slice(0, CHANGED_RECORDED_MAX),
    ...(output === undefined
      ? {}
      : {
          output: {
            origin: own === undefined ? ("extracted" as const) : ("worker" as const),
            path: staging.output,
            digest: expected.output_digest,
            text: output.bytes.toString("utf8"),
          },
        }),
    notes: [...notes, ...sentinelNotes(files, expected, order), ...notesOn(left)],
  };
  const missing = missingIn(subtask, staging, output);
  return {
    work,
    changed: paths,
    files: extracted === undefined ? delivered : [...delivered, extracted],
    output,
    missing,
  };
}

function notesOn({ notes = [], refuted = [] }: WorkLeft): string[] {
  return [...notes, ...refuted].slice(0, FILES_MAX).map(withoutSecrets);
}

/** Words of a worker, or of its program, which go into an artifact as they are. */
function withoutSecrets(words: string): string {
  return redact(cut(words)).text;
}

async function readStaged(
  staged: readonly RawChange[],
  { folder }: Staging,
  repository: Repository,
): Promise<{ files: StagedFile[]; notes: string[] }> {
  const files: StagedFile[] = [];
  const notes: string[] = [];
  const there = staged.filter(({ after }) => after.mode !== GONE);
  if (there.length === 0) return { files, notes };
  const blobs = repository.openBlobs({ bytesMax: FILE_BYTES_MAX });
  let left = STAGED_BYTES_MAX;
  const take = async ({ path, after }: RawChange): Promise<string | undefined> => {
    const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
    if (name === undefined) return "it lies in the staging folder of another subtask";
    const why = whyNotTaken(name, after.mode, files.length);
    if (why !== undefined) return why;
    const content = await blobs.read(after.id);
    if (content.state !== "content" || content.bytes.length > left) return "it is too large";
    left -= content.bytes.length;
    files.push({ path: name, bytes: content.bytes });
    return undefined;
  };
  try {
    for (const one of there) {
      const why = await take(one);
      if (why !== undefined) notes.push(`${shown(one.path)} was not taken: ${why}`);
    }
  } finally {
    await blobs.close();
  }
  return { files, notes: notes.slice(0, FILES_MAX) };
}

function whyNotTaken(name: string, mode: string, count: number): string | undefined {
  if (!PLAIN_MODES.includes(mode)) return "it is a link or a repository, expected a file";
  if (name.length > PATH_CHARS_MAX || /[\p{Cc}\uFFFD]/u.test(name))
    return "its name is no plain text";
  return count >= FILES_MAX ? `more than ${FILES_MAX} files were staged` : undefined;
}

/** A worker's own sentinel is a request: it is said what it is worth, and the runner's replaces it. */
function sentinelNotes(
  files: readonly StagedFile[],
  expected: Sentinel,
  { subtask }: WorkOrder,
): string[] {
  const own = files.find(({ path }) => path === SENTINEL_NAME);
  if (own === undefined) return [];
  const why = whyWrong(own.bytes.toString("utf8"), expected) ?? "it says no more than the record";
  return [
    `the worker wrote a ${SENTINEL_NAME} itself, which unlocks nothing: ${why}; the runner's own takes its place once ${subtask.id} is proven`,
  ];
}

function missingIn(
  subtask: PlanSubtask,
  { folder, output }: Staging,
  file: StagedFile | undefined,
) {
  if (file === undefined) {
    return [
      `${subtask.id} handed in no ${output}: expected ${folder}/${output} in its tree, as its prompt says; without it the work is partial`,
    ];
  }
  const fields = fieldsOf(outputValue(output, file.bytes.toString("utf8"), subtask));
  const lacking = Object.keys(subtask.output_schema).filter((key) => !fields.has(key));
  return lacking.length === 0 ? [] : [`${output} of ${subtask.id} has no ${lacking.join(", ")}`];
}

function shown(path: string): string {
  return cut(path, 200).replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
}

import { Repository } from "../../repo/index.ts";
import { subjectIds } from "../../scan/requirement/index.ts";
import { projectName } from "../address/project-name.ts";
import type { CheckSource } from "../check/check.ts";
import type { Place } from "../place.ts";
import { readOwnTexts, type SkippedFile } from "./read-own-texts.ts";
import { recordedRequirements } from "./recorded-requirements.ts";
import type { RequirementRow } from "./requirement-row.ts";
import { RequirementTrails } from "./requirement-trails.ts";

const COMMITS_MAX = 10_000;
const LOOSE_MAX = 1_000;

/** Where requirements are looked for. */
export interface RequirementSource {
  readonly place: Place;
  readonly task: string | undefined;
  readonly files: CheckSource;
}

/** All requirement ids of a project, and what was not looked at. */
export interface TracedRequirements {
  readonly commit: string;
  readonly requirements: readonly RequirementRow[];
  readonly files: number;
  readonly commits: number;
  /** Commits whose subject names an id, and not in the form that it should have. */
  readonly loose_subjects: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * Traces every requirement id: where files, commits and plans name it, which spec and decisions it
 * goes back to, which tests show it, and what of that is missing. Files are read from git's objects
 * at one commit; nothing is run.
 *
 * @throws SwornError `NOT_FOUND` when there is no repository or no such commit.
 */
export async function traceRequirements(source: RequirementSource): Promise<TracedRequirements> {
  const { files } = source;
  const repository = await Repository.open(files.repository, files);
  try {
    const commit = await repository.resolveCommit(files.at ?? "HEAD");
    const trails = new RequirementTrails(projectName(source.place), commit);
    const read = await readOwnTexts(repository, commit, (path, text) => {
      trails.takeFile(path, text);
    });
    const told = await readSubjects(repository, trails);
    recordedRequirements(source.place, source.task, (id) => trails.of(id));
    return { commit, requirements: trails.rows(), ...read, ...told };
  } finally {
    repository.close();
  }
}

async function readSubjects(repository: Repository, trails: RequirementTrails) {
  const loose: string[] = [];
  let count = 0;
  for await (const { commit, subject } of repository.commitSubjects(trails.commit, COMMITS_MAX)) {
    count += 1;
    const { ids, isWellFormed } = subjectIds(subject);
    for (const id of ids) trails.of(id)?.commits.push(commit);
    if (!isWellFormed) loose.push(commit);
  }
  return { commits: count, loose_subjects: loose.slice(0, LOOSE_MAX) };
}

import * as z from "zod";
import { counted, visible } from "../../base/index.ts";
import type { RequirementRow } from "../../flow/requirement/requirement-row.ts";
import { traceRequirements } from "../../flow/requirement/trace-requirements.ts";
import { Name } from "../../schema/index.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";

const COMMIT_CHARS = 12;
const HEAD = ["id", "defined", "cited", "commits", "plan", "decisions", "tests"];

export const Arguments = z.strictObject({
  at: z.string().min(1).optional(),
  task: Name.optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const place = await openRunPlace(io);
  const files = { repository: io.cwd, at: args.at, env: io.env, signal: io.signal };
  const traced = await traceRequirements({ place, task: args.task, files });
  const { requirements, commit, files: read, commits, loose_subjects: loose, skipped } = traced;
  const rows = requirements.map(rowWords);
  const words = [
    ...(rows.length === 0
      ? ["No requirement ids here; one is called PROJ-CAT-000."]
      : [table(HEAD, rows, io.columns)]),
    ...requirements.flatMap(missingWords),
    ...(loose.length === 0 ? [] : [looseWords(loose)]),
    `${counted(read, "file")} at ${commit.slice(0, COMMIT_CHARS)}, ${counted(commits, "commit")}`,
    ...(skipped.length === 0 ? [] : [`${counted(skipped.length, "file")} not read; see --json`]),
  ];
  return { exit: 0, json: traced, words: words.join("\n") };
}

function rowWords({ id, ...row }: RequirementRow): string[] {
  const { defined, cited, commits, plan, decisions, tests } = row;
  const places = [defined, cited].map((all) => placeWords(all));
  const counts = [commits, plan, decisions].map(({ length }) => String(length));
  return [id, ...places, ...counts, placeWords(tests)];
}

function placeWords(all: RequirementRow["cited"]): string {
  const [first] = all;
  if (first === undefined) return "-";
  const more = all.length === 1 ? "" : ` +${all.length - 1}`;
  return `${visible(first.path)}:${first.line}${more}`;
}

function missingWords({ id, missing }: RequirementRow): string[] {
  return missing.map((what) => `${id}: ${visible(what)}`);
}

function looseWords(loose: readonly string[]): string {
  const form = "expected feat(PROJ): PROJ-CAT-000 and what was done";
  const named = loose.slice(0, 5).map((commit) => commit.slice(0, COMMIT_CHARS));
  return `${counted(loose.length, "commit")} with another form of subject (${form}): ${named.join(", ")}`;
}

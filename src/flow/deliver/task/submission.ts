import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import {
  decodeUtf8,
  ensureFolder,
  parseJson,
  readPlainFile,
  writeFileDurably,
} from "../../../base/index.ts";
import { assertNoLink, type Place } from "../../place.ts";

const SUBMISSION_BYTES_MAX = 8 << 20;
const SUBMISSIONS_MAX = 10_000;
const FILE_NAME = /^sub-[0-9a-f]{16}\.json$/;

/** A submission as it is kept for whoever sends it on. */
export const Submission = z.strictObject({
  v: z.literal(1),
  submission_id: z.string().regex(/^sub-[0-9a-f]{16}$/),
  status: z.enum(["queued", "accepted"]),
  agent: z.string(),
  role: z.string(),
  work: z.string(),
  /** The listed sinks outside this machine, one of which it has to be sent to by a person. */
  waits_for: z.array(z.string()),
  artifact: z.string(),
  packet_sha256: z.string(),
  branch: z.string().optional(),
  notify_roles: z.array(z.string()),
  urgency: z.enum(["standard", "hotfix"]),
  files: z.array(z.string()),
  packet_markdown: z.string(),
});
export type Submission = z.infer<typeof Submission>;

/** Kept once: who asks again is told what became of the first, and overwrites nothing. */
export function keepSubmission(place: Place, submission: Submission): Submission {
  const known = readSubmission(place, submission.submission_id);
  if (known !== undefined) return known;
  write(place, submission);
  return submission;
}

/** Everything of a work that waited for a person to send it has been sent. */
export function acceptSubmissions(place: Place, work: string): void {
  const folder = folderOf(place);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)
    .filter((one) => FILE_NAME.test(one))
    .slice(0, SUBMISSIONS_MAX)) {
    const found = readSubmission(place, name.slice(0, -".json".length));
    if (found?.work === work && found.status === "queued") {
      write(place, { ...found, status: "accepted" });
    }
  }
}

function readSubmission(place: Place, id: string): Submission | undefined {
  const path = join(folderOf(place), `${id}.json`);
  if (!existsSync(path)) return undefined;
  const text = decodeUtf8(readPlainFile(path, SUBMISSION_BYTES_MAX, "refuse"));
  return Submission.parse(parseJson(text, SUBMISSION_BYTES_MAX));
}

function write(place: Place, submission: Submission): void {
  const folder = folderOf(place);
  assertNoLink(folder);
  ensureFolder(folder);
  const path = join(folder, `${submission.submission_id}.json`);
  writeFileDurably(path, `${JSON.stringify(submission, null, 2)}\n`, 0o600);
}

function folderOf({ store }: Place): string {
  return join(store, "submissions");
}

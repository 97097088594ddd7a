import { sha256Hex } from "../../base/index.ts";
import { Repository } from "../../repo/index.ts";
import type { Finding } from "../../schema/finding.ts";
import type { Anchor } from "../../schema/vote.ts";
import { CitationChecker, normalizePath, type SourceTree } from "../../verify/citation/index.ts";
import { type Refusal, refuse, type Session, seqOfMessage } from "../../view/index.ts";
import { sourceTree } from "../change/source-tree.ts";
import type { CheckSource } from "../check/check.ts";

const TEXT_CHARS_MAX = 2_000;
/** `src/a.ts:12`, `src/a.ts:12-14`, and either with what stands there: `src/a.ts:12: return 1;`. */
const PLACE = /^([^\n]{1,4000}?):([0-9]{1,8})(?:-([0-9]{1,8}))?(?:: ([\s\S]{1,20000}))?$/;
const MESSAGE = /^MSG-[0-9]{1,9}$/;
const ARTIFACT = /^sha256:([0-9a-f]{64})$/;
const COMMIT = /^git:([0-9a-f]{40}(?:[0-9a-f]{24})?)$/;

interface Place {
  readonly file: string;
  readonly line: number;
  readonly end: number | undefined;
  readonly quote: string | undefined;
}

/** What is behind the anchors of a vote. */
export interface AnchorSource {
  readonly session: Session;
  /** The address of what is voted on; files are looked for in its commit and nowhere else. */
  readonly artifact: string;
  readonly source: CheckSource;
}

/**
 * Looks every anchor of a vote up, as a reviewer's citation is: what is not there is refused, and
 * what is there is recorded with its text, so that nobody can say later that it was another one.
 */
export async function checkAnchors(
  written: readonly string[],
  { session, artifact, source }: AnchorSource,
): Promise<Anchor[] | Refusal> {
  if (written.length === 0) return noAnchor("a vote names at least one place that was looked at");
  const anchors: Anchor[] = [];
  const files: [string, Place][] = [];
  for (const one of written) {
    const place = PLACE.exec(one);
    const recorded = place ? undefined : inRecord(one, session);
    if (recorded) anchors.push(recorded);
    else if (place) files.push([one, placeOf(place)]);
    else
      return noAnchor(`${shown(one)} is neither file:line nor a message or artifact of this trace`);
  }
  if (files.length === 0) return anchors;
  const commit = COMMIT.exec(artifact)?.[1];
  if (commit === undefined) return noAnchor(`${shown(artifact)} is no commit: it has no files`);
  const found = await inFiles(files, { ...source, at: commit });
  return "kind" in found ? found : [...anchors, ...found];
}

function noAnchor(reason: string): Refusal {
  return refuse("EVIDENCE_GUARD", reason);
}

const shown = (text: string) => `"${text.slice(0, 200)}"`;

function placeOf([, file = "", line = "", end, quote]: RegExpExecArray): Place {
  return { file, line: Number(line), end: end === undefined ? undefined : Number(end), quote };
}

function inRecord(written: string, session: Session): Anchor | undefined {
  const hash = ARTIFACT.exec(written)?.[1];
  if (hash !== undefined && session.artifacts.has(hash)) return { place: written, digest: hash };
  const isSaid = MESSAGE.test(written) && session.messages.has(seqOfMessage(written));
  return isSaid ? { place: written } : undefined;
}

async function inFiles(
  files: readonly [string, Place][],
  { repository: folder, at = "", ...options }: CheckSource,
): Promise<Anchor[] | Refusal> {
  const repository = await Repository.open(folder, options);
  const blobs = repository.openBlobs();
  try {
    const tree = await sourceTree(repository, blobs, await repository.resolveCommit(at));
    const checker = new CitationChecker(tree);
    const anchors: Anchor[] = [];
    for (const [written, place] of files) {
      const anchor = await inFile(written, place, tree, checker);
      if ("kind" in anchor) return anchor;
      anchors.push(anchor);
    }
    return anchors;
  } finally {
    await blobs.close();
    repository.close();
  }
}

async function inFile(
  written: string,
  place: Place,
  tree: SourceTree,
  checker: CitationChecker,
): Promise<Anchor | Refusal> {
  const path = normalizePath(place.file);
  const entry = path === undefined ? undefined : await tree.find(path);
  if (path === undefined || entry?.kind !== "file") {
    return noAnchor(`${shown(written)}: there is no such file in what is voted on`);
  }
  const lines = Buffer.from(entry.bytes).toString("utf8").replace(/\n$/, "").split("\n");
  const there = lines.slice(place.line - 1, place.end ?? place.line).join("\n");
  if (there.trim() === "") {
    const reason = place.line > lines.length ? `it has ${lines.length} lines` : "nothing is there";
    return noAnchor(`${shown(written)}: ${reason}`);
  }
  const { verdict, reason } = await checker.check(findingOf(place, place.quote ?? there));
  if (verdict !== "CONFIRMED") return noAnchor(`${shown(written)} is ${verdict}: ${reason}`);
  return {
    place: `${path}:${place.line}${place.end === undefined ? "" : `-${place.end}`}`,
    text: there.slice(0, TEXT_CHARS_MAX).toWellFormed(),
    digest: sha256Hex(entry.bytes),
  };
}

function findingOf({ file, line, end }: Place, quote: string): Finding {
  const end_line = end === undefined ? {} : { end_line: end };
  return {
    id: "anchor",
    title: "What was looked at",
    priority: "P3",
    citations: [{ file, line, ...end_line, quote: quote.slice(0, TEXT_CHARS_MAX) }],
  };
}

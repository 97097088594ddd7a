import { realpathSync, statSync } from "node:fs";
import { posix, relative, sep } from "node:path";
import { messageOf, SwornError } from "../../base/index.ts";
import type { SaidWork } from "../../claim/index.ts";
import { type Environment, Repository } from "../../repo/index.ts";
import { sourceTree } from "../change/source-tree.ts";
import { type HookInput, readTranscript, type Transcript } from "./hook-input.ts";
import { type Heard, isPlaced, judgeMessage } from "./judge-message.ts";
import { isOfOneCommit, notInChange, type Session, untouchedByAll } from "./judge-session.ts";
import { type Judged, judgeCheck, judgeCommand, judgeTests } from "./judge-shown.ts";
import { isThere, projectFiles } from "./project-files.ts";
import { isOfSession, type Shown, shownBy } from "./transcript.ts";

const NOTHING: Heard = { refuted: [], unverified: [] };

/**
 * Holds an agent's last words against the project it worked in, as that lies there now and as it was
 * committed last. Where there is no project, or nothing was said, there is nothing to hold; that nothing was
 * said is believed of a record of the session alone that shows it.
 *
 * @throws SwornError when the project, or what was said, cannot be read.
 */
export async function judgeStop(
  input: HookInput,
  options: { readonly folder: string; readonly env: Environment; readonly signal: AbortSignal },
): Promise<Heard> {
  const message = input.last_assistant_message ?? lastWordsIn(input);
  if (message.trim() === "") return NOTHING;
  const shown = shownIn(input);
  const folder = input.cwd ?? options.folder;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SwornError("NOT_FOUND", `there is no folder ${folder}, in which it was said`);
  }
  const repository = await openOr(folder, options);
  if (repository === undefined) return NOTHING;
  const blobs = repository.openBlobs();
  try {
    const head = await commitOr(repository);
    if (head === undefined) return NOTHING;
    const committed = await sourceTree(repository, blobs, head);
    const known = await committed.paths();
    const uncommitted = await repository.uncommittedFiles();
    const now = projectFiles(repository, known, uncommitted);
    const under = relative(realpathSync(repository.root), realpathSync(folder));
    const paths = await now.paths();
    const session = sessionOf(shown, { trees: [now, committed], uncommitted });
    const scene = { root: repository.root, under, paths, shown, session };
    const heard = await judgeMessage(message, {
      trees: [now, committed],
      under: under.split(sep).join("/"),
      judge: (said) => judged(said, scene),
    });
    const open = session === undefined ? [] : await notInChange(message, session);
    return { ...heard, unverified: [...new Set([...heard.unverified, ...open])] };
  } finally {
    await blobs.close();
    repository.close();
  }
}

interface Scene {
  readonly root: string;
  readonly under: string;
  readonly paths: readonly string[];
  readonly shown: Shown | undefined;
  readonly session: Session | undefined;
}

/** A session that is known as a whole, and did all of its work since the last commit. */
function sessionOf(
  shown: Shown | undefined,
  files: Pick<Session, "trees" | "uncommitted">,
): Session | undefined {
  if (shown === undefined || !shown.isWhole || !isOfOneCommit(shown.calls)) return undefined;
  return { ...files, calls: shown.calls };
}

async function judged(said: SaidWork, scene: Scene): Promise<Judged> {
  const calls = scene.shown?.calls ?? [];
  if (said.kind === "tests") return judgeTests(said, calls);
  if (said.kind === "check") return judgeCheck(said, calls);
  if (said.kind === "command") return judgeCommand(said, calls);
  const found = judgedFile(said, scene);
  if (found !== undefined || scene.session === undefined) return found;
  const why = await untouchedByAll(said, scene.session);
  return why === undefined ? undefined : { isRefuted: false, why };
}

/** What was changed and committed long ago cannot be told from what was not: only what is there counts. */
function judgedFile(
  { path, how }: Extract<SaidWork, { kind: "file" }>,
  { root, under, paths }: Scene,
): Judged {
  const isHere = isThere(root, path) || isThere(root, posix.join(under, path));
  if (how === "deleted")
    return isHere ? { isRefuted: true, why: `${path} is still there` } : undefined;
  if (isHere || paths.some((one) => one.endsWith(`/${path}`))) return undefined;
  return { isRefuted: isPlaced(path), why: `there is no file ${path}` };
}

function shownIn({ transcript_path }: HookInput): Shown | undefined {
  if (transcript_path === undefined || transcript_path === null) return undefined;
  try {
    const { records, isWhole } = readTranscript(transcript_path);
    const shown = shownBy(records);
    return { ...shown, isWhole: shown.isWhole && isWhole };
  } catch {
    // Without its record less is known of a session, and more stays unverified.
    return undefined;
  }
}

/**
 * The last words that a session's own record shows; empty where it shows that there are none. A file that
 * could hold them unread is no sign that nothing was said.
 */
function lastWordsIn({ transcript_path: path }: HookInput): string {
  if (path === undefined || path === null) {
    const expected = "expected last_assistant_message or transcript_path, found neither";
    throw new SwornError("INPUT_INVALID", expected);
  }
  const { records, isWhole } = transcriptAt(path);
  const { lastWords } = shownBy(records);
  if (lastWords !== undefined) return lastWords;
  if (isWhole && isOfSession(records)) return "";
  throw new SwornError("INPUT_INVALID", `${path}: expected the record of a session, found none`);
}

function transcriptAt(path: string): Transcript {
  try {
    return readTranscript(path);
  } catch (cause) {
    const what = `the session's record ${path} cannot be read: ${messageOf(cause)}`;
    throw new SwornError("NOT_FOUND", what, { cause });
  }
}

async function openOr(
  folder: string,
  options: { readonly env: Environment; readonly signal: AbortSignal },
): Promise<Repository | undefined> {
  try {
    return await Repository.open(folder, options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function commitOr(repository: Repository): Promise<string | undefined> {
  try {
    return await repository.resolveCommit("HEAD");
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof SwornError && error.code === "NOT_FOUND";
}

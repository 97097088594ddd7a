import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownedBy, SwornError } from "../base/index.ts";
import { coveredFile } from "./covered-file.ts";
import { Git, type GitOptions, gitFailed, plainWords, told } from "./git.ts";
import { assertId } from "./tree-listing.ts";

const LISTING_BYTES_MAX = 64 * (1 << 20);
const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/;
const SUBMODULE = "160000";
const GONE = "000000";
/** As git says of files that are not what it knows, before it touches any. */
const IS_IN_THE_WAY = /not uptodate|overwritten|would be removed|would lose/i;

/** One file that differs between two commits, as git's own listing has it. */
export interface RawChange {
  /** As bytes in characters, so that every name comes back as it was. */
  readonly raw: string;
  readonly path: string;
  readonly before: { readonly mode: string; readonly id: string };
  readonly after: { readonly mode: string; readonly id: string };
}

/** Every file that differs between two commits, renames as what they are: one gone, one new. */
export async function rawChanges(git: Git, base: string, commit: string): Promise<RawChange[]> {
  for (const id of [base, commit]) assertId(id);
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", base, commit];
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of git.stream(args)) {
    size += chunk.length;
    if (size > LISTING_BYTES_MAX) {
      throw new SwornError(
        "LIMIT_EXCEEDED",
        `more changes than fit into ${LISTING_BYTES_MAX} bytes`,
      );
    }
    chunks.push(chunk);
  }
  const parts = Buffer.concat(chunks).toString("latin1").split("\0").slice(0, -1);
  return parts.flatMap((line, at) => {
    const [, oldMode, newMode, oldId, newId] = RAW.exec(line) ?? [];
    const raw = parts[at + 1];
    if (at % 2 !== 0 || !oldMode || !newMode || !oldId || !newId || raw === undefined) return [];
    return [
      {
        raw,
        path: Buffer.from(raw, "latin1").toString("utf8"),
        before: { mode: oldMode, id: oldId },
        after: { mode: newMode, id: newId },
      },
    ];
  });
}

/**
 * Puts changes into the work tree and the index of a repository, on top of its current commit, and
 * touches nothing else. It is git's own merge of two trees: what the user has changed and not
 * committed is never overwritten.
 *
 * @throws SwornError `ALREADY_EXISTS` when a file was changed on both sides, or a new one would replace
 * one that git does not know; nothing is changed then.
 */
export async function takeChanges(
  options: Pick<GitOptions, "folder" | "env">,
  changes: readonly RawChange[],
): Promise<void> {
  assertNoSubmodule(changes);
  await assertNothingCovered(options, changes);
  const folder = mkdtempSync(join(tmpdir(), `sworn-take-${ownedBy()}`));
  try {
    const aside = new Git({ ...options, own: { GIT_INDEX_FILE: join(folder, "index") } });
    await told(aside, ["read-tree", "HEAD"]);
    await told(aside, ["update-index", "-z", "--index-info"], indexLines(changes));
    const tree = await told(aside, ["write-tree"]);
    await assertWritable(aside, join(folder, "files/"), changes);
    await merge(new Git(options), tree);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run finds an empty folder there: whatever it puts into it is no part of that repository. */
function assertNoSubmodule(changes: readonly RawChange[]): void {
  const link = changes.find(({ raw, before, after }) => {
    const isReplaced = changes.some((other) => other.raw.startsWith(`${raw}/`));
    return after.mode === SUBMODULE || (before.mode === SUBMODULE && isReplaced);
  });
  if (link === undefined) return;
  const what = `${plainWords(link.path)} is a repository of its own`;
  const why =
    link.after.mode === SUBMODULE
      ? "of which only the name would come along"
      : "and the run put files in its place; nothing was taken over";
  throw new SwornError("INPUT_INVALID", `${what}, ${why}`);
}

async function assertNothingCovered(
  options: Pick<GitOptions, "folder" | "env">,
  changes: readonly RawChange[],
): Promise<void> {
  const added = changes.filter(({ before }) => before.mode === GONE).map(({ raw }) => raw);
  const lost = await coveredFile(new Git(options), options.folder, added);
  if (lost === undefined) return;
  const name = plainWords(Buffer.from(lost, "latin1").toString("utf8"));
  throw new SwornError(
    "ALREADY_EXISTS",
    `${name} is a file of your own that git does not know, and it was left alone; move it away first, or leave it out of what is taken over`,
  );
}

/** A filter of the user's that fails in the middle of it would leave half of the files, and one of them gone. */
async function assertWritable(
  aside: Git,
  prefix: string,
  changes: readonly RawChange[],
): Promise<void> {
  const paths = changes.filter(({ after }) => after.mode !== GONE).map(({ raw }) => `${raw}\0`);
  const args = ["checkout-index", "-z", "--stdin", `--prefix=${prefix}`];
  const { code, complaint } = await aside.ask(args, Buffer.from(paths.join(""), "latin1"));
  if (code === 0) return;
  const { code: kind, message } = gitFailed(args, complaint);
  throw new SwornError(
    kind,
    `what the run left cannot be written here: ${message}; nothing was taken over`,
  );
}

async function merge(git: Git, tree: string): Promise<void> {
  // What the index knows of the files' times may be old; without this, every such file looks changed.
  await git.ask(["update-index", "-q", "--refresh"]);
  const { code, complaint } = await git.ask(["read-tree", "-m", "-u", "HEAD", tree]);
  if (code === 0) return;
  if (!IS_IN_THE_WAY.test(complaint)) throw gitFailed(["read-tree"], complaint);
  throw new SwornError(
    "ALREADY_EXISTS",
    `you have changes of your own in the same files, and they were left alone: ${plainWords(complaint)}; commit or stash them first`,
  );
}

/** Changes as `git update-index --index-info` takes them. */
export function indexLines(changes: readonly RawChange[]): Buffer {
  const lines = changes.map(({ raw, after: { mode, id } }) =>
    mode === GONE ? `0 ${id}\t${raw}\0` : `${mode} ${id}\t${raw}\0`,
  );
  return Buffer.from(lines.join(""), "latin1");
}

import { messageOf } from "../../../base/index.ts";
import type { Repository } from "../../../repo/index.ts";
import {
  isLockfilePath,
  isUnreadLockfile,
  licenceGate,
  packagesOfLockfile,
} from "../../../run/sbom/index.ts";
import type { RunSettings } from "../../../schema/config.ts";
import type { DoneFacts } from "../../../vote/index.ts";

const LOCKFILES_MAX = 1_000;
const LOCKFILE_BYTES_MAX = 32 << 20;
const NAMES_NONE = "the change names no packages, and nobody says what is denied";
/** Files that say which packages a project asks for, beside those that pin them. */
const ASKS =
  /(?:^|\/)(?:package\.json|requirements[^/]*\.txt|Pipfile|pyproject\.toml|Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?)$/;

/**
 * What a change uses and may not. With a deny-list all packages that lockfiles of the commit pin are
 * held against it; without one, a change that names no packages adds no licence, and for any other
 * nobody has said what is denied.
 */
export async function licenceFacts(
  repository: Repository,
  { commit, changed }: { readonly commit: string; readonly changed: readonly string[] },
  settings: RunSettings["licences"],
): Promise<Pick<DoneFacts, "licences" | "unknown">> {
  if (settings !== undefined) {
    return { licences: { refused: await refusedIn(repository, commit, settings) } };
  }
  const named = changed.find((path) => isLockfile(path) || ASKS.test(path));
  if (named === undefined) return { licences: { refused: [], why: NAMES_NONE } };
  const how = "sworn.yaml can say it, as runs.licences: { deny: [AGPL-*] }";
  return { unknown: { licences: `${named} changed, and nobody says what is denied; ${how}` } };
}

function isLockfile(path: string): boolean {
  return isLockfilePath(path) || isUnreadLockfile(path);
}

async function refusedIn(
  repository: Repository,
  commit: string,
  settings: NonNullable<RunSettings["licences"]>,
): Promise<string[]> {
  const refused: string[] = [];
  const accepted = new Set(settings.accepted);
  const blobs = repository.openBlobs({ bytesMax: LOCKFILE_BYTES_MAX });
  let count = 0;
  try {
    for await (const { path, blob } of repository.listTree(commit)) {
      if (!isLockfile(path) || accepted.has(path)) continue;
      count += 1;
      if (count > LOCKFILES_MAX) return [...refused, `unknown:${path} and those after it`];
      const content = await blobs.read(blob);
      const text = content.state === "content" ? content.bytes.toString("utf8") : undefined;
      refused.push(...judgeLockfile(path, text, settings));
    }
  } finally {
    await blobs.close();
  }
  return [...new Set(refused)];
}

function judgeLockfile(
  path: string,
  text: string | undefined,
  settings: NonNullable<RunSettings["licences"]>,
): string[] {
  // Fail closed: what cannot be listed may be anything.
  if (text === undefined || isUnreadLockfile(path)) return [`unknown:${path}`];
  try {
    return licenceGate(packagesOfLockfile(path, text), settings).map(
      ({ licence, subject }) => `${licence}:${subject}`,
    );
  } catch (error) {
    return [`unknown:${path} (${messageOf(error).slice(0, 200)})`];
  }
}

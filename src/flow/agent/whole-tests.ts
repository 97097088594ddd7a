import { parseJson } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { readConfig } from "../workflow-config.ts";

const MANIFEST = "package.json";
const MANIFEST_BYTES_MAX = 1 << 20;

/**
 * What runs all tests of a project: what its `sworn.yaml` says, else the script of that name in the
 * commit that a run began with. Undefined where nobody says.
 */
export async function wholeTests(
  repository: Repository,
  base: string,
): Promise<readonly string[] | undefined> {
  const { tests } = readConfig(repository.root).work ?? {};
  if (tests !== undefined) return tests;
  return (await hasTestScript(repository, base)) ? ["npm", "test"] : undefined;
}

async function hasTestScript(repository: Repository, base: string): Promise<boolean> {
  const entry = await repository.blobAt(base, MANIFEST);
  if (entry?.kind !== "file") return false;
  const blobs = repository.openBlobs({ bytesMax: MANIFEST_BYTES_MAX });
  try {
    const content = await blobs.read(entry.blob, entry.size);
    if (content.state !== "content") return false;
    const manifest = parseJson(content.bytes.toString("utf8"), MANIFEST_BYTES_MAX);
    return typeof (manifest as { scripts?: { test?: unknown } } | null)?.scripts?.test === "string";
  } catch {
    // Somebody's manifest that cannot be read names no script.
    return false;
  } finally {
    await blobs.close();
  }
}

import { canonicalize, decodeUtf8, parseJson } from "../../base/index.ts";
import { Sidecar } from "../../schema/manifest.ts";
import { stricter } from "./classify.ts";

const SIDECAR_BYTES_MAX = 4_096;
const SUFFIX = ".meta.json";
/** The name that is accepted beside a single artifact. */
const SINGLE_NAME = "artifact.meta.json";

/** Where the sidecar of a file lies. */
export function sidecarPathOf(path: string): string {
  return `${path}${SUFFIX}`;
}

/** The one spelling of a sidecar. */
export function sidecarBytes({ classification, pii }: Sidecar): Buffer {
  return Buffer.from(`${canonicalize({ classification, pii })}\n`);
}

/**
 * Tells the sidecars in a list of paths from the artifacts, and whose each of them is. A name alone
 * makes no sidecar: without the file that it would belong to it is an artifact like any other.
 */
export function sidecarsAmong(paths: readonly string[]): ReadonlyMap<string, string> {
  const all = new Set(paths);
  const owners = new Map<string, string>();
  for (const path of paths) {
    const owner = path.endsWith(SUFFIX) ? path.slice(0, -SUFFIX.length) : "";
    if (all.has(owner)) owners.set(path, owner);
  }
  const artifacts = paths.filter((path) => !owners.has(path) && path !== SINGLE_NAME);
  const [only] = artifacts;
  if (
    all.has(SINGLE_NAME) &&
    !owners.has(SINGLE_NAME) &&
    only !== undefined &&
    artifacts.length === 1
  ) {
    owners.set(SINGLE_NAME, only);
  }
  return owners;
}

/**
 * What holds for a file whose maker also said something about it: the stricter of both. A task
 * could call its loot public; so its word may only raise. A sidecar that cannot be read raises to
 * the top, because somebody wanted to say something.
 */
export function raisedBy(found: Sidecar, stated: Uint8Array): Sidecar {
  const said = parseSidecar(stated);
  return {
    classification: stricter(found.classification, said.classification),
    pii: found.pii || said.pii,
  };
}

function parseSidecar(bytes: Uint8Array): Sidecar {
  try {
    return Sidecar.parse(
      parseJson(decodeUtf8(bytes.subarray(0, SIDECAR_BYTES_MAX + 1)), SIDECAR_BYTES_MAX),
    );
  } catch {
    // Fail closed: not JSON, of another shape, or too long.
    return { classification: "restricted", pii: true };
  }
}

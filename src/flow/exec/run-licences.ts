import { messageOf } from "../../base/index.ts";
import {
  isLockfilePath,
  isUnreadLockfile,
  licenceGate,
  packagesOfLockfile,
  packagesOfRoot,
  type SbomPackage,
} from "../../run/sbom/index.ts";
import type { RunSettings } from "../../schema/config.ts";
import type { ExecRequest, ExecScene } from "./exec.ts";
import { lockfilesIn } from "./exec-sbom.ts";

/** As many as facts can list. */
const LISTED_MAX = 4_000;
const CHARS_MAX = 1_000;

type Licences = NonNullable<RunSettings["licences"]>;

/** What a run is made of, before it begins. */
export interface RunParts extends Pick<ExecScene, "environment" | "inputFolder"> {
  readonly input: Pick<ExecScene["input"], "root" | "paths">;
  readonly request: Pick<ExecRequest, "pull" | "isPinned">;
}

/**
 * What a run would use and may not, each as `licence:package`. The packages are those of the
 * environment and of the lockfiles of the input, before anything is started. With a deny-list, a
 * list that cannot be read is as good as a denied licence.
 */
export function deniedLicences(parts: RunParts, settings: Licences | undefined): string[] {
  if (settings === undefined || settings.deny.length === 0) return [];
  const accepted = new Set(settings.accepted);
  const found = sourcesOf(parts, isJudged(parts, settings)).flatMap(({ name, list }) => {
    if (accepted.has(name)) return [];
    try {
      return licenceGate(list(), settings).map(({ licence, subject }) => `${licence}:${subject}`);
    } catch (error) {
      // Fail closed: what cannot be listed may be anything.
      return [`unknown:${name} (${messageOf(error)})`];
    }
  });
  const listed = [...new Set(found.map((one) => one.toWellFormed().slice(0, CHARS_MAX)))];
  if (listed.length <= LISTED_MAX) return listed;
  return [...listed.slice(0, LISTED_MAX), `unknown:${listed.length - LISTED_MAX} more packages`];
}

function isJudged({ environment }: RunParts, settings: Licences): boolean {
  const usual = environment.root.kind === "host" ? "ignored" : "judged";
  return (settings.environment ?? usual) === "judged";
}

interface Source {
  readonly name: string;
  readonly list: () => SbomPackage[];
}

function sourcesOf(
  { environment, input, inputFolder, request }: RunParts,
  hasRoot: boolean,
): Source[] {
  const root = environment.root.kind === "folder" ? environment.root.path : "/";
  return [
    ...(hasRoot ? [{ name: environment.name, list: () => packagesOfRoot(root) }] : []),
    ...input.paths
      .filter((path) => isLockfilePath(path) || isUnreadLockfile(path))
      .map((path) => ({ name: path, list: () => packagesIn(inputFolder, path) })),
    ...unpinned(request).map((kind) => ({ name: `pull-${kind}`, list: nobodyKnows })),
  ];
}

/** Registries from which a task can install what no lockfile names; only npm's can be pinned. */
function unpinned({ pull, isPinned }: RunParts["request"]): string[] {
  return pull.filter((kind) => !(kind === "npm" && isPinned));
}

function nobodyKnows(): never {
  throw new Error("a pull that is not pinned can bring anything");
}

function packagesIn(folder: string, path: string): SbomPackage[] {
  if (isUnreadLockfile(path)) throw new Error("no reader for this kind of lockfile");
  const text = lockfilesIn(folder, [path]).get(path) ?? "";
  return packagesOfLockfile(path, text);
}

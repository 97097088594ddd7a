import { canonicalize } from "../../base/index.ts";
import type { Manifest } from "../../schema/manifest.ts";

/** One difference between a run and its repetition. */
export interface Difference {
  /** An output's path, or the field of the manifest. */
  readonly subject: string;
  readonly kind: "condition" | "missing" | "added" | "content" | "mode" | "exit";
  /** As text: hashes for contents, the values otherwise. */
  readonly first: string;
  readonly second: string;
  /** The reason that somebody gave beforehand for this file to differ. */
  readonly explained?: string;
}

export interface Comparison {
  /** Whether every hash matches or has its explanation, under the same conditions. */
  readonly isReproduced: boolean;
  /** How many output files have the same hash in both. */
  readonly equalFiles: number;
  readonly differences: readonly Difference[];
}

/** What has to be the same for the second run to be a repetition of the first. */
const CONDITIONS = [
  "engine",
  "install",
  "argv",
  "cwd",
  "env",
  "input",
  "seed",
  "source_date_epoch",
  "locale",
  "timezone",
] as const satisfies readonly (keyof Manifest)[];

/**
 * Compares a run with its repetition, file by file. `explanations` name the files that are known to
 * differ and why; they excuse other content, and nothing else: a file that is gone stays gone. Times
 * and limits may differ.
 */
export function compareManifests(
  first: Manifest,
  second: Manifest,
  explanations: Readonly<Record<string, string>> = {},
): Comparison {
  const conditions = conditionsApart(first, second);
  const files = filesApart(first, second, explanations);
  const exits = apart("exit", "exit", first.exit, second.exit);
  const differences = [...conditions, ...exits, ...files.differences];
  const isReproduced = differences.every(({ explained }) => explained !== undefined);
  return { isReproduced, equalFiles: files.equal, differences };
}

function conditionsApart(first: Manifest, second: Manifest): Difference[] {
  const { digest } = first.environment;
  return [
    ...apart("environment.digest", "condition", digest, second.environment.digest),
    ...CONDITIONS.flatMap((field) => apart(field, "condition", first[field], second[field])),
  ];
}

function apart(
  subject: string,
  kind: Difference["kind"],
  first: unknown,
  second: unknown,
): Difference[] {
  const [one, other] = [canonicalize(first), canonicalize(second)];
  return one === other ? [] : [{ subject, kind, first: one, second: other }];
}

function filesApart(
  first: Manifest,
  second: Manifest,
  explanations: Readonly<Record<string, string>>,
): { equal: number; differences: Difference[] } {
  const later = new Map(second.output.map((file) => [file.path, file]));
  const earlier = new Set(first.output.map(({ path }) => path));
  const differences: Difference[] = [];
  let equal = 0;
  for (const { path, sha256, mode } of first.output) {
    const other = later.get(path);
    if (other === undefined) {
      differences.push({ subject: path, kind: "missing", first: sha256, second: "" });
      continue;
    }
    if (other.sha256 === sha256) equal += 1;
    else differences.push(contentApart(path, sha256, other.sha256, explanations));
    differences.push(...apart(path, "mode", mode, other.mode));
  }
  for (const { path, sha256 } of second.output) {
    if (earlier.has(path)) continue;
    differences.push({ subject: path, kind: "added", first: "", second: sha256 });
  }
  return { equal, differences };
}

function contentApart(
  path: string,
  first: string,
  second: string,
  explanations: Readonly<Record<string, string>>,
): Difference {
  // Own keys alone: a file may be called `constructor`.
  const explained = Object.hasOwn(explanations, path) ? explanations[path] : undefined;
  const difference = { subject: path, kind: "content", first, second } as const;
  return explained === undefined || explained.trim() === ""
    ? difference
    : { ...difference, explained };
}

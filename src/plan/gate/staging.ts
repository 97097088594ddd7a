import type { Plan, Verimap } from "../../schema/plan.ts";
import type { Violation } from "./gate-report.ts";

type AnyPlan = Plan | Verimap;

const SENTINEL = "POLECAT_DONE";
const STAGING =
  /^(?<root>(?:\/[^/]+)*)\/\.forge-staging\/(?<build>[A-Za-z0-9][A-Za-z0-9._-]{0,99})\/polecat_(?<id>ST-[0-9]{2,4})\/?$/;

/** The staging folders: where they lie, what is in them, and that no two are one. */
export function checkStaging(plan: AnyPlan): Violation[] {
  const missing = plan.subtasks
    .filter(({ id }) => !Object.hasOwn(plan.staging_paths, id))
    .map(
      ({ id }): Violation => ({
        rule: "invariant-staging",
        path: "staging_paths",
        message: `${id} has no staging paths: add staging_dir, output_file and sentinel_file for it`,
      }),
    );
  const placed = Object.entries(plan.staging_paths).map(([id, paths]) => ({
    id,
    paths,
    folder: STAGING.exec(paths.staging_dir)?.groups,
  }));
  return [
    ...missing,
    ...placed.flatMap(checkPaths),
    ...checkBuilds(placed),
    ...checkOutputs(placed),
  ];
}

/** The paths of a subtask, and the parts of its folder's where that has the right form. */
interface Placed {
  readonly id: string;
  readonly paths: AnyPlan["staging_paths"][string];
  readonly folder: Readonly<Record<string, string>> | undefined;
}

function checkPaths({ id, paths, folder }: Placed): Violation[] {
  const { staging_dir, output_file, sentinel_file } = paths;
  const at = (field: string): string => `staging_paths.${id}.${field}`;
  const unsafe = Object.entries(paths).flatMap(([field, path]) => {
    const problem = unsafePath(path);
    return problem === undefined ? [] : [staging(at(field), problem)];
  });
  if (unsafe.length > 0) return unsafe;
  if (folder?.["id"] !== id) {
    const expected = `/…/.forge-staging/<build>/polecat_${id}/`;
    return [staging(at("staging_dir"), `expected ${expected}, found ${shown(staging_dir)}`)];
  }
  const own = staging_dir.endsWith("/") ? staging_dir : `${staging_dir}/`;
  const output = output_file.startsWith(own) ? output_file.slice(own.length) : "";
  const violations: Violation[] = [];
  if (output === "" || output.endsWith("/") || output === SENTINEL) {
    violations.push(
      staging(at("output_file"), `expected a file in ${own}, found ${shown(output_file)}`),
    );
  }
  if (sentinel_file !== `${own}${SENTINEL}`) {
    violations.push(
      staging(at("sentinel_file"), `expected ${own}${SENTINEL}, found ${shown(sentinel_file)}`),
    );
  }
  return violations;
}

/** An absolute path of plain parts, none of them "." or "..". */
const SAFE = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.,+@=~ -]+)+\/?$/;

/** A path that could lead anywhere else than it reads. */
function unsafePath(path: string): string | undefined {
  if (SAFE.test(path)) return undefined;
  if (!path.startsWith("/")) return `expected an absolute path, found ${shown(path)}`;
  if (/[\p{C}\\]/u.test(path)) return "it holds a character that no path of a plan needs";
  const isCrooked = path
    .slice(1)
    .replace(/\/$/, "")
    .split("/")
    .some((part) => part === "" || part === "." || part === "..");
  return isCrooked ? `expected a path without "..", "." and "//", found ${shown(path)}` : undefined;
}

/** All of a plan is one build, in one place. */
function checkBuilds(all: readonly Placed[]): Violation[] {
  let first: { id: string; place: string } | undefined;
  return all.flatMap(({ id, folder }) => {
    if (folder === undefined) return [];
    const place = `${folder["root"]}/.forge-staging/${folder["build"]}`;
    first ??= { id, place };
    if (place === first.place) return [];
    const message = `it lies in ${place}, and ${first.id} in ${first.place}: a plan is one build`;
    return [staging(`staging_paths.${id}.staging_dir`, message)];
  });
}

/** Files are one where a file system could take them for one. */
function checkOutputs(all: readonly Placed[]): Violation[] {
  const owners = new Map<string, string>();
  return all.flatMap(({ id, paths: { output_file } }) => {
    const key = foldedPath(output_file);
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, id);
    const message = `${owner} writes to ${shown(output_file)} already: give each its own file`;
    return owner === undefined
      ? []
      : [{ rule: "duplicate-output" as const, path: `staging_paths.${id}.output_file`, message }];
  });
}

/** An absolute path of plain letters that only has to be written small. */
const STRAIGHT = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.,+@=~ -]+)+$/;

/** A path as a file system without case or with composed letters would take it. */
export function foldedPath(path: string): string {
  if (STRAIGHT.test(path)) return path.slice(1).toLowerCase();
  const parts: string[] = [];
  for (const part of path.normalize("NFC").toLowerCase().split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function staging(path: string, message: string): Violation {
  return { rule: "staging", path, message };
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 200));
}

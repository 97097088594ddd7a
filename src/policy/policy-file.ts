import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { canonicalize, readPlainFile, SwornError, sha256Hex } from "../base/index.ts";

/** The files that come with the package; two folders up both in `src` and in `dist`. */
const SHIPPED = fileURLToPath(new URL("../../policies/", import.meta.url));
const SCHEMA_NAME = "sworn.cedarschema";
const FILES_MAX = 200;
const CEDAR_BYTES_MAX = 1_048_576;
const WASM_BYTES_MAX = 16_777_216;
/** What may lie beside policies without being one. */
const BESIDE = /\.(facts\.json|md)$/;

/** One file that policies are made of, as it was read: everything later is judged by these bytes. */
export interface PolicyFile {
  readonly name: string;
  readonly kind: "schema" | "cedar" | "wasm";
  readonly bytes: Buffer;
}

/** The schema and the rules that come with this version. */
export function shippedFiles(): PolicyFile[] {
  const names = readdirSync(SHIPPED).filter((name) => name.endsWith(".cedar"));
  return [
    readPolicyFile(SHIPPED, SCHEMA_NAME, "schema"),
    ...names.sort().map((name) => readPolicyFile(SHIPPED, name, "cedar")),
  ];
}

/** Where the tests of the shipped policies are. */
export function shippedCasesPath(): string {
  return join(SHIPPED, "cases.json");
}

/** Where the list of what Cedar says about the shipped policies is. */
export function shippedRulesPath(): string {
  return join(SHIPPED, "rules.json");
}

/**
 * The policies of a user's own folder.
 *
 * @param outside Trees that must not supply policies: whoever writes there could forbid less, or more.
 * @throws SwornError `NOT_FOUND`, `PATH_ESCAPES` for a folder in such a tree, `INPUT_INVALID` for a
 * file that is neither a policy nor known to be none: a policy that is not read is not enforced.
 */
export function userFiles(folder: string, outside: readonly string[]): PolicyFile[] {
  const resolved = resolveFolder(folder);
  for (const tree of outside) assertApart(resolved, realpathSync(tree));
  assertOwned(resolved);
  const names = readdirSync(resolved).filter((name) => !BESIDE.test(name));
  if (names.length > FILES_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `${folder} has ${names.length} policy files, expected at most ${FILES_MAX}`,
    );
  }
  return names.sort().map((name) => {
    assertOwned(join(resolved, name));
    return readPolicyFile(resolved, name, kindOf(resolved, name));
  });
}

/** SHA-256 over the canonical list of names, kinds and hashes: two sets of one digest judge alike. */
export function digestOf(shipped: readonly PolicyFile[], own: readonly PolicyFile[]): string {
  const list = (from: string, files: readonly PolicyFile[]) =>
    files.map(({ name, kind, bytes }) => ({ from, name, kind, sha256: sha256Hex(bytes) }));
  return sha256Hex(canonicalize([...list("shipped", shipped), ...list("user", own)]));
}

function resolveFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw new SwornError("NOT_FOUND", `there is no policy folder ${folder}`, { cause });
  }
}

function assertApart(folder: string, tree: string): void {
  const isInside = folder === tree || folder.startsWith(tree.endsWith(sep) ? tree : tree + sep);
  if (!isInside) return;
  throw new SwornError(
    "PATH_ESCAPES",
    `the policy folder ${folder} lies in ${tree}, the tree that is to be judged; keep policies outside of it`,
  );
}

/** A policy that anybody can write is no policy. */
function assertOwned(path: string): void {
  const { mode } = lstatSync(path);
  if ((mode & 0o002) === 0 || lstatSync(path).isSymbolicLink()) return;
  throw new SwornError(
    "INPUT_INVALID",
    `${path} can be written by everybody; take that right away with chmod o-w`,
  );
}

function kindOf(folder: string, name: string): "cedar" | "wasm" {
  if (name.endsWith(".cedar")) return "cedar";
  if (name.endsWith(".wasm")) return "wasm";
  throw new SwornError(
    "INPUT_INVALID",
    `${join(folder, basename(name))} is no policy: expected .cedar or .wasm, and .facts.json or .md beside them` +
      (name.endsWith(".rego") ? '; compile it with "opa build -t wasm"' : ""),
  );
}

/** Links are not followed: a link in the folder could lead back into the tree that is judged. */
function readPolicyFile(folder: string, name: string, kind: PolicyFile["kind"]): PolicyFile {
  const bytesMax = kind === "wasm" ? WASM_BYTES_MAX : CEDAR_BYTES_MAX;
  try {
    return { name, kind, bytes: readPlainFile(join(folder, name), bytesMax, "refuse") };
  } catch (cause) {
    if (cause instanceof SwornError) throw cause;
    throw new SwornError(
      "INPUT_INVALID",
      `the policy ${join(folder, name)} cannot be read; expected a plain file, not a link`,
      { cause },
    );
  }
}
